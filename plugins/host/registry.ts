import { existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../kind.ts'
import type { KindByName, KindName } from '../kinds.ts'
import { APPROVALS_FILE, openApprovals } from './approvals.ts'
import { type AdapterSources, discoverAdapters, INSTALLED_FOLDER, type PendingAdapter, type RejectedAdapter } from './discover.ts'
import { readReadme } from './readme.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts'

/** A mounted adapter with the data that its kind derived from it. */
export type MountedAdapterOf<K> = K extends Kind<infer A, infer Beside> ? { readonly kind: Kind; readonly adapter: A } & Beside : never
/** A mounted adapter of any kind. */
export type AnyMountedAdapter = MountedAdapterOf<Kind>
/** A mounted adapter of the named kind. */
export type MountedAdapter<Name extends KindName> = MountedAdapterOf<KindByName<Name>>

/** Adapters that are mounted now. The result changes with the folders and the approvals. */
export interface AdapterRegistry {
  /** Finds the adapter with this slug if it is of this kind. */
  find<Name extends KindName>(kind: Name, slug: string): MountedAdapter<Name> | undefined
  /** Returns all adapters of this kind. */
  of<Name extends KindName>(kind: Name): readonly MountedAdapter<Name>[]
  /** Finds the adapter with this slug, whatever its kind. */
  named(slug: string): AnyMountedAdapter | undefined
  /** Returns all mounted adapters. */
  all(): readonly AnyMountedAdapter[]
  /** Reads the README of an adapter from its folder; null if there is none. */
  readme(slug: string): Promise<string | null>
  /** Returns the folders whose adapters cannot be used, with the reasons. */
  rejected(): readonly RejectedAdapter[]
  /** Returns the adapters that wait for approval. */
  pending(): readonly PendingAdapter[]
  /** Returns the ids of the adapters' processes. */
  pids(): readonly number[]
  /** Searches the folders again now. */
  reload(): Promise<void>
  /** Searches again whenever a folder or an approval changes, until closed. Calls `changed` afterwards, or `failed` with the error. */
  watch(changed: () => void, failed: (error: unknown) => void): void
  /** Ends all processes. */
  close(): Promise<void>
}

/** Receives reports on adapters that cannot be used or wait for approval, and on their processes. */
export interface RegistryReports {
  rejected(rejected: RejectedAdapter): void
  pending(pending: PendingAdapter): void
  process(what: string, words: string): void
}

interface Entry {
  readonly folder: string
  readonly hash: string
  readonly mounted: AnyMountedAdapter
}

const DEBOUNCE_MS = 150

const isOfKind =
  <Name extends KindName>(name: Name) =>
  (one: AnyMountedAdapter): one is AnyMountedAdapter & MountedAdapter<Name> =>
    one.kind.name === name

/** Searches for adapters and opens the registry. Throws if the first search fails. */
export async function openRegistry(
  shelf: AdapterSources,
  options: Omit<SandboxOptions, 'report'>,
  reports: RegistryReports,
): Promise<AdapterRegistry> {
  mkdirSync(join(options.folder, INSTALLED_FOLDER), { recursive: true })
  const sandbox = openSandbox({ ...options, report: reports.process })
  const registry = new FolderRegistry(shelf, options.folder, sandbox, reports)
  await registry.reload().catch(async (error) => {
    await sandbox.close()
    throw error
  })
  return registry
}

class FolderRegistry implements AdapterRegistry {
  readonly #approvals: ReturnType<typeof openApprovals>
  readonly #watchers: FSWatcher[] = []
  #entries = new Map<string, Entry>()
  #rejected: readonly RejectedAdapter[] = []
  #pending: readonly PendingAdapter[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(
    readonly shelf: AdapterSources,
    readonly folder: string,
    readonly sandbox: Sandbox,
    readonly reports: RegistryReports,
  ) {
    this.#approvals = openApprovals(folder)
  }

  find<Name extends KindName>(kind: Name, slug: string) {
    const mounted = this.named(slug)
    return mounted && isOfKind(kind)(mounted) ? mounted : undefined
  }

  of<Name extends KindName>(kind: Name) {
    return this.all().filter(isOfKind(kind))
  }

  named(slug: string) {
    return this.#entries.get(slug)?.mounted
  }

  all() {
    return [...this.#entries.values()].map(({ mounted }) => mounted)
  }

  async readme(slug: string) {
    const folder = this.#entries.get(slug)?.folder
    return folder === undefined ? null : readReadme(folder)
  }

  rejected() {
    return this.#rejected
  }

  pending() {
    return this.#pending
  }

  pids() {
    return this.sandbox.pids()
  }

  async reload() {
    const now = await discoverAdapters(this.shelf, this.sandbox, this.#approvals)
    for (const one of now.rejected) this.reports.rejected(one)
    for (const one of now.pending) if (!this.#pending.some(({ hash }) => hash === one.hash)) this.reports.pending(one)
    const found = now.found.map(({ folder, hash, kind, adapter }): [string, Entry] => [
      adapter.slug,
      { folder, hash, mounted: { ...kind.derived?.(adapter), kind, adapter } },
    ])
    // A changed adapter that cannot be used keeps its working version mounted.
    const broken = new Set(now.rejected.map(({ folder }) => folder))
    const kept = [...this.#entries].filter(([slug, { folder }]) => broken.has(folder) && !found.some(([other]) => other === slug))
    this.#entries = new Map([...found, ...kept])
    this.#rejected = now.rejected
    this.#pending = now.pending
    this.sandbox.retire(new Set([...this.#entries.values()].map(({ hash }) => hash)))
  }

  watch(changed: () => void, failed: (error: unknown) => void) {
    const reloadNext = () => {
      this.#running = this.#running
        .then(() => this.reload())
        .then(changed)
        .catch(failed)
    }
    const scheduleReload = () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(reloadNext, DEBOUNCE_MS)
    }
    for (const root of [...this.shelf.own, ...this.shelf.others])
      if (existsSync(root)) this.#watchers.push(watch(root, { recursive: true }, scheduleReload))
    this.#watchers.push(watch(this.folder, (_, name) => name === APPROVALS_FILE && scheduleReload()))
  }

  async close() {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers) watcher.close()
    await this.#running
    await this.sandbox.close()
  }
}
