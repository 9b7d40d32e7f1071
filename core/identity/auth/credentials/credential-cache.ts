import type { SharedState } from '../../../data/shared/shared.ts'
import type { Sql } from '../../../data/sql.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import { type RevocationTags, watchRevocations } from './revocations.ts'

const CHANNEL = 'credentials'
/** Prefix of a message that names tags; all other messages name keys. */
const TAGGED = 'tags:'
/** Maximum lifetime of a cache entry in milliseconds. Every known change evicts earlier; this covers changes that nobody reported. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 20_000

/** Value to cache, with the tags that evict it. */
export interface CacheEntry<V> {
  readonly value: V
  readonly tags: readonly string[]
  /** Lifetime of the entry in milliseconds; 60 s at most, which is the default. */
  readonly lifeMs?: number
}

/** Cache of values by key, which saves a database query for each request. */
export interface CredentialCache<V> {
  /** Returns the cached value. Returns undefined when there is none, or when revocations are not up to date. */
  peek(key: string): V | undefined
  /** Returns the cached value, or loads and caches it. A value is not cached when a revocation arrived while it was loaded. */
  getOrLoad(key: string, load: () => Promise<CacheEntry<V> | null>): Promise<V | null>
}

/** Caches that share one listener for revocations. */
export interface CredentialCaches {
  /** Creates a cache for another type of value. */
  open<V>(): CredentialCache<V>
  /** Calls `listener` after entries were evicted. Returns a function that unsubscribes. */
  onEviction(listener: () => void): () => void
  stop(): Promise<void>
}

/** Evicts keys from the caches of all processes at once. Without it they learn of the change from the database within a second. */
export const evictKeys = (shared: SharedState, keys: readonly string[]) => shared.publish(CHANNEL, keys.join(','))

/** Evicts all entries that carry one of the tags from the caches of all processes. */
export const evictTagged = (shared: SharedState, tags: readonly string[]) => shared.publish(CHANNEL, TAGGED + tags.join(','))

/**
 * Creates the caches. `listener` is a connection of its own, on which each process polls for revocations. A process that misses them for
 * 0.9 s uses no cache entry.
 */
export async function openCredentialCaches(listener: Sql, shared: SharedState): Promise<CredentialCaches> {
  const all: Map<string, { readonly until: number; readonly tags: readonly string[] }>[] = []
  const listeners = new Set<() => void>()
  /** Number of evictions so far. A value that was read before an eviction is not cached after it. */
  let evictions = 0
  function evict(target: { readonly keys?: readonly string[]; readonly tags?: RevocationTags } | 'all') {
    evictions += 1
    for (const entries of all) {
      if (target === 'all') entries.clear()
      else evictIn(entries, target.keys ?? [], target.tags)
    }
    for (const listener of listeners) listener()
  }
  const revocations = await watchRevocations(listener, (tags) => evict(tags === 'all' ? tags : { tags }))
  const unsubscribe = await shared.subscribe(CHANNEL, (message) => {
    if (!message.startsWith(TAGGED)) return evict({ keys: message.split(',') })
    evict({ tags: new Set(message.slice(TAGGED.length).split(',')) })
  })

  function open<V>(): CredentialCache<V> {
    const entries = new Map<string, { readonly value: V; readonly until: number; readonly tags: readonly string[] }>()
    all.push(entries)
    const recall = (key: string) => {
      const known = entries.get(key)
      return known && known.until > Date.now() && revocations.isUpToDate() ? known.value : undefined
    }
    return {
      peek: recall,
      async getOrLoad(key, load) {
        const known = recall(key)
        if (known !== undefined) return known
        const evictionsBefore = evictions
        const found = await load()
        if (!found) return null
        const { value, tags, lifeMs = REMEMBERED_MS } = found
        if (evictions !== evictionsBefore) return value
        entries.delete(key)
        evictOldest(entries, REMEMBERED_MAX - 1)
        entries.set(key, { value, tags, until: Date.now() + Math.min(lifeMs, REMEMBERED_MS) })
        return value
      },
    }
  }

  return {
    open,
    onEviction(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async stop() {
      unsubscribe()
      await revocations.stop()
    },
  }
}

function evictIn(entries: Map<string, { readonly tags: readonly string[] }>, keys: readonly string[], tags: RevocationTags | undefined) {
  for (const key of keys) entries.delete(key)
  if (tags) for (const [key, known] of entries) if (known.tags.some((tag) => tags.has(tag))) entries.delete(key)
}
