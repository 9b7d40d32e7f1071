import { type FSWatcher, existsSync, watch } from 'node:fs'
import type { Carrier } from '../carrier/contract.ts'
import { type Meaning, statusReader } from '../carrier/statuses.ts'
import { type Rejected, discover } from './discover.ts'

export interface Mounted {
  readonly carrier: Carrier
  /** Raw words of the carrier to ours. */
  readonly meaning: (raw: string) => Meaning | undefined
}

/** The adapters that are there now. What it gives changes when folders do. */
export interface Registry {
  find(slug: string): Mounted | undefined
  all(): readonly Mounted[]
  rejected(): readonly Rejected[]
  /** Looks again at once. */
  reload(): Promise<void>
  /** Looks again whenever a folder changes, until closed; `changed` mounts what was found. */
  watch(changed: () => void): void
  close(): void
}

const SETTLE_MS = 150

export async function openRegistry(roots: readonly string[], enabled: readonly string[], report: (rejected: Rejected) => void): Promise<Registry> {
  let mounted = new Map<string, Mounted>()
  let rejected: readonly Rejected[] = []
  const watchers: FSWatcher[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function reload() {
    const found = await discover(roots, enabled)
    for (const one of found.rejected) report(one)
    mounted = new Map(found.carriers.map((carrier) => [carrier.slug, { carrier, meaning: statusReader(carrier.statuses) }]))
    rejected = found.rejected
  }

  await reload()
  return {
    find: (slug) => mounted.get(slug),
    all: () => [...mounted.values()],
    rejected: () => rejected,
    reload,
    watch(changed) {
      const later = () => {
        clearTimeout(timer)
        timer = setTimeout(() => void reload().then(changed), SETTLE_MS)
      }
      for (const root of roots) if (existsSync(root)) watchers.push(watch(root, { recursive: true }, later))
    },
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
