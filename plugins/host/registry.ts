import { existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../kind.ts'
import type { KindName, KindNamed } from '../kinds.ts'
import { APPROVED_FILE, openApprovals } from './approvals.ts'
import { discover, INSTALLED, type Pending, type Rejected, type Shelf } from './discover.ts'
import { readmeIn } from './readme.ts'
import { openSandbox, type SandboxOptions } from './sandbox/sandbox.ts'

/** An adapter that is there, with what its kind keeps beside it. */
export type MountedAs<K> = K extends Kind<infer A, infer Beside> ? { readonly kind: Kind; readonly adapter: A } & Beside : never
/** One of any kind. */
export type AnyMounted = MountedAs<Kind>
/** One of the kind that is named. */
export type Mounted<Name extends KindName> = MountedAs<KindNamed<Name>>

/** The adapters that are there now. What it gives changes when folders do, or what is approved. */
export interface Registry {
  /** The adapter of this name, if it is of this kind. */
  find<Name extends KindName>(kind: Name, slug: string): Mounted<Name> | undefined
  /** All of this kind. */
  of<Name extends KindName>(kind: Name): readonly Mounted<Name>[]
  /** The adapter of this name, of whatever kind. */
  named(slug: string): AnyMounted | undefined
  all(): readonly AnyMounted[]
  /** What is said of it for people, as it lies in its folder now; null where nothing is. */
  readme(slug: string): Promise<string | null>
  rejected(): readonly Rejected[]
  /** What waits to be approved. */
  pending(): readonly Pending[]
  /** Numbers of the processes that adapters run in. */
  pids(): readonly number[]
  /** Looks again at once. */
  reload(): Promise<void>
  /** Looks again whenever a folder changes, until closed; `changed` mounts what was found. */
  watch(changed: () => void, failed: (error: unknown) => void): void
  /** Ends every process. */
  close(): Promise<void>
}

/** Who hears of what cannot be used, what waits, and what an adapter's process did. */
export interface Reports {
  rejected(rejected: Rejected): void
  pending(pending: Pending): void
  process(what: string, words: string): void
}

interface Held {
  readonly folder: string
  readonly hash: string
  readonly mounted: AnyMounted
}

const SETTLE_MS = 150

const isOfKind =
  <Name extends KindName>(name: Name) =>
  (one: AnyMounted): one is AnyMounted & Mounted<Name> =>
    one.kind.name === name

export async function openRegistry(shelf: Shelf, options: Omit<SandboxOptions, 'report'>, reports: Reports): Promise<Registry> {
  mkdirSync(join(options.folder, INSTALLED), { recursive: true })
  const approvals = openApprovals(options.folder)
  const sandbox = openSandbox({ ...options, report: reports.process })
  let held = new Map<string, Held>()
  let rejected: readonly Rejected[] = []
  let pending: readonly Pending[] = []
  const watchers: FSWatcher[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()

  async function reload() {
    const now = await discover(shelf, sandbox, approvals)
    for (const one of now.rejected) reports.rejected(one)
    for (const one of now.pending) if (!pending.some(({ hash }) => hash === one.hash)) reports.pending(one)
    const found = now.found.map(({ folder, hash, kind, adapter }): [string, Held] => [
      adapter.slug,
      { folder, hash, mounted: { ...kind.beside?.(adapter), kind, adapter } },
    ])
    // A change that cannot be used leaves what worked before in its place.
    const broken = new Set(now.rejected.map(({ folder }) => folder))
    const kept = [...held].filter(([slug, { folder }]) => broken.has(folder) && !found.some(([other]) => other === slug))
    held = new Map([...found, ...kept])
    rejected = now.rejected
    pending = now.pending
    sandbox.retire(new Set([...held.values()].map(({ hash }) => hash)))
  }

  await reload().catch(async (error) => {
    await sandbox.close()
    throw error
  })
  const all = () => [...held.values()].map(({ mounted }) => mounted)
  return {
    find(kind, slug) {
      const mounted = held.get(slug)?.mounted
      return mounted && isOfKind(kind)(mounted) ? mounted : undefined
    },
    of: (kind) => all().filter(isOfKind(kind)),
    named: (slug) => held.get(slug)?.mounted,
    all,
    async readme(slug) {
      const folder = held.get(slug)?.folder
      return folder === undefined ? null : readmeIn(folder)
    },
    rejected: () => rejected,
    pending: () => pending,
    pids: () => sandbox.pids(),
    reload,
    watch(changed, failed) {
      const later = () => {
        clearTimeout(timer)
        timer = setTimeout(() => (running = running.then(reload).then(changed).catch(failed)), SETTLE_MS)
      }
      for (const root of [...shelf.own, ...shelf.others]) if (existsSync(root)) watchers.push(watch(root, { recursive: true }, later))
      watchers.push(watch(options.folder, (_, name) => name === APPROVED_FILE && later()))
    },
    async close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      await running
      await sandbox.close()
    },
  }
}
