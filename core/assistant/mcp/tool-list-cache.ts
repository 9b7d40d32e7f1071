import { evictOldest } from '../../lib/evict-oldest.ts'
import type { McpTool } from './mcp.model.ts'

/** Tools that a server offers to a user, and those left out with the reason. */
export interface ToolList {
  readonly tools: readonly ListedTool[]
  readonly leftOut: readonly string[]
  readonly protocol: string | null
  readonly title: string | null
}
/** Tool of an MCP server, without the name that models see. */
export type ListedTool = Omit<McpTool, 'name'>

/** Age at which a list is read again. */
const FRESH_MS = 5 * 60_000
/** Time for which a failure is cached. */
const FAILED_MS = 60_000
const LISTS_MAX = 1_000

/** Cache of lists of tools, by server and user. */
export class ToolListCache {
  readonly #entries = new Map<string, { readonly until: number; readonly listed: Promise<ToolList> }>()

  /** Returns a cached list, or reads it. */
  get(key: string, read: () => Promise<ToolList>): Promise<ToolList> {
    const known = this.#entries.get(key)
    if (known && known.until > performance.now()) return known.listed
    return this.refresh(key, read)
  }

  /** Reads a list and replaces the cached one. A failure is cached for {@link FAILED_MS}. */
  refresh(key: string, read: () => Promise<ToolList>): Promise<ToolList> {
    const listed = read()
    this.#entries.delete(key)
    this.#entries.set(key, { until: performance.now() + FRESH_MS, listed })
    evictOldest(this.#entries, LISTS_MAX)
    listed.catch(() => {
      if (this.#entries.get(key)?.listed === listed) this.#entries.set(key, { until: performance.now() + FAILED_MS, listed })
    })
    return listed
  }

  /** Removes all lists of a server. */
  evict(serverId: string) {
    for (const key of this.#entries.keys()) if (key.startsWith(`${serverId} `)) this.#entries.delete(key)
  }
}
