import { existsSync, type FSWatcher, watch } from 'node:fs'
import type { Carrier } from '../carrier/contract.ts'
import { type Meaning, statusReader } from '../carrier/statuses.ts'
import { discover, type Rejected } from './discover.ts'

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
  watch(changed: () => void, failed: (error: unknown) => void): void
  close(): void
}

interface Held extends Mounted {
  readonly folder: string
}

const SETTLE_MS = 150

export async function openRegistry(
  roots: readonly string[],
  enabled: readonly string[],
  report: (rejected: Rejected) => void,
): Promise<Registry> {
  let mounted = new Map<string, Held>()
  let rejected: readonly Rejected[] = []
  const watchers: FSWatcher[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()

  async function reload() {
    const now = await discover(roots, enabled)
    for (const one of now.rejected) report(one)
    const found = now.found.map(({ folder, carrier }): [string, Held] => [
      carrier.slug,
      { folder, carrier, meaning: statusReader(carrier.statuses) },
    ])
    // A change that cannot be used leaves what worked before in its place.
    const broken = new Set(now.rejected.map(({ folder }) => folder))
    const kept = [...mounted].filter(([slug, { folder }]) => broken.has(folder) && !found.some(([other]) => other === slug))
    mounted = new Map([...found, ...kept])
    rejected = now.rejected
  }

  await reload()
  return {
    find: (slug) => mounted.get(slug),
    all: () => [...mounted.values()],
    rejected: () => rejected,
    reload,
    watch(changed, failed) {
      const later = () => {
        clearTimeout(timer)
        timer = setTimeout(() => (running = running.then(reload).then(changed).catch(failed)), SETTLE_MS)
      }
      for (const root of roots) if (existsSync(root)) watchers.push(watch(root, { recursive: true }, later))
    },
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
