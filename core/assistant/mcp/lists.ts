import { evictOldest } from '../../lib/evict-oldest.ts'
import type { McpTool } from './mcp.model.ts'

/** What a server offers, as of when it was asked. */
export interface Listed {
  readonly tools: readonly Offered[]
  readonly leftOut: readonly string[]
  readonly protocol: string | null
  readonly title: string | null
}
export type Offered = Omit<McpTool, 'name'>

/** How long a list stands; and so long a server that gave none is not waited for again. */
const FRESH_MS = 5 * 60_000
const FAILED_MS = 60_000
const LISTS_MAX = 1_000

/** Lists of tools that were read a while ago, by whose they are. */
export class Lists {
  readonly #kept = new Map<string, { readonly until: number; readonly listed: Promise<Listed> }>()

  of(key: string, read: () => Promise<Listed>): Promise<Listed> {
    const known = this.#kept.get(key)
    if (known && known.until > performance.now()) return known.listed
    return this.anew(key, read)
  }

  anew(key: string, read: () => Promise<Listed>): Promise<Listed> {
    const listed = read()
    this.#kept.delete(key)
    this.#kept.set(key, { until: performance.now() + FRESH_MS, listed })
    evictOldest(this.#kept, LISTS_MAX)
    listed.catch(() => {
      if (this.#kept.get(key)?.listed === listed) this.#kept.set(key, { until: performance.now() + FAILED_MS, listed })
    })
    return listed
  }

  forget(serverId: string) {
    for (const key of this.#kept.keys()) if (key.startsWith(`${serverId} `)) this.#kept.delete(key)
  }
}
