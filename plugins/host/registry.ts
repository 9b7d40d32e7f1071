import { existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Carrier } from '../carrier/contract.ts'
import type { Meaning } from '../carrier/model.ts'
import { statusReader } from '../carrier/statuses.ts'
import { APPROVED_FILE, openApprovals } from './approvals.ts'
import { discover, INSTALLED, type Pending, type Rejected, type Shelf } from './discover.ts'
import { openSandbox, type SandboxOptions } from './sandbox/sandbox.ts'

export interface Mounted {
  readonly carrier: Carrier
  /** Raw words of the carrier to ours. */
  readonly meaning: (raw: string) => Meaning | undefined
}

/** The adapters that are there now. What it gives changes when folders do, or what is approved. */
export interface Registry {
  find(slug: string): Mounted | undefined
  all(): readonly Mounted[]
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

interface Held extends Mounted {
  readonly folder: string
  readonly hash: string
}

const SETTLE_MS = 150

export async function openRegistry(shelf: Shelf, options: Omit<SandboxOptions, 'report'>, reports: Reports): Promise<Registry> {
  mkdirSync(join(options.folder, INSTALLED), { recursive: true })
  const approvals = openApprovals(options.folder)
  const sandbox = openSandbox({ ...options, report: reports.process })
  let mounted = new Map<string, Held>()
  let rejected: readonly Rejected[] = []
  let pending: readonly Pending[] = []
  const watchers: FSWatcher[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()

  async function reload() {
    const now = await discover(shelf, sandbox, approvals)
    for (const one of now.rejected) reports.rejected(one)
    for (const one of now.pending) if (!pending.some(({ hash }) => hash === one.hash)) reports.pending(one)
    const found = now.found.map(({ folder, hash, carrier }): [string, Held] => [
      carrier.slug,
      { folder, hash, carrier, meaning: statusReader(carrier.statuses) },
    ])
    // A change that cannot be used leaves what worked before in its place.
    const broken = new Set(now.rejected.map(({ folder }) => folder))
    const kept = [...mounted].filter(([slug, { folder }]) => broken.has(folder) && !found.some(([other]) => other === slug))
    mounted = new Map([...found, ...kept])
    rejected = now.rejected
    pending = now.pending
    sandbox.retire(new Set([...mounted.values()].map(({ hash }) => hash)))
  }

  await reload().catch(async (error) => {
    await sandbox.close()
    throw error
  })
  return {
    find: (slug) => mounted.get(slug),
    all: () => [...mounted.values()],
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
