import type { Shared } from '../../../data/shared/shared.ts'
import type { Sql } from '../../../data/sql.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import { type Tags, watchRevocations } from './revocations.ts'

const CHANNEL = 'credentials'
/** What begins so names tags; all else are keys. */
const TAGGED = 'tags:'
/** Only what was found is remembered, and each change of it is heard of: this is for what nobody would have said. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 20_000

/** What was found, and what it ends with. */
export interface Found<V> {
  readonly value: V
  readonly tags: readonly string[]
  /** For less than a minute. */
  readonly lifeMs?: number
}

/** What was found, by key, so that a request does not cost a look-up. */
export interface Memory<V> {
  recall(key: string): V | undefined
  /** What is remembered, or else is there now: that is remembered, unless something was said while it was looked for. */
  find(key: string, look: () => Promise<Found<V> | null>): Promise<V | null>
}

export interface Memories {
  /** One more, of a kind of thing. */
  open<V>(): Memory<V>
  stop(): Promise<void>
}

/** Tells every process at once that it may no longer remember these; they would know of it within a second anyhow. */
export const forgetKeys = (shared: Shared, keys: readonly string[]) => shared.publish(CHANNEL, keys.join(','))

/** The same of all that ends with one of these. */
export const forgetTagged = (shared: Shared, tags: readonly string[]) => shared.publish(CHANNEL, TAGGED + tags.join(','))

/** `ear`: a connection of its own, over which every process hears within a second what has changed; whoever hears nothing for so long remembers nothing. */
export async function openMemories(ear: Sql, shared: Shared): Promise<Memories> {
  const all: Map<string, { readonly until: number; readonly tags: readonly string[] }>[] = []
  /** Grows with each word: what was read before one is not remembered after it. */
  let told = 0
  function forget(what: { readonly keys?: readonly string[]; readonly tags?: Tags } | 'all') {
    told += 1
    for (const kept of all) {
      if (what === 'all') kept.clear()
      else forgetIn(kept, what.keys ?? [], what.tags)
    }
  }
  const revocations = await watchRevocations(ear, (tags) => forget(tags === 'all' ? tags : { tags }))
  const unsubscribe = await shared.subscribe(CHANNEL, (message) => {
    if (!message.startsWith(TAGGED)) return forget({ keys: message.split(',') })
    forget({ tags: new Set(message.slice(TAGGED.length).split(',')) })
  })

  function open<V>(): Memory<V> {
    const kept = new Map<string, { readonly value: V; readonly until: number; readonly tags: readonly string[] }>()
    all.push(kept)
    const recall = (key: string) => {
      const known = kept.get(key)
      return known && known.until > Date.now() && revocations.areKnown() ? known.value : undefined
    }
    return {
      recall,
      async find(key, look) {
        const known = recall(key)
        if (known !== undefined) return known
        const before = told
        const found = await look()
        if (!found) return null
        const { value, tags, lifeMs = REMEMBERED_MS } = found
        if (told !== before) return value
        kept.delete(key)
        evictOldest(kept, REMEMBERED_MAX - 1)
        kept.set(key, { value, tags, until: Date.now() + Math.min(lifeMs, REMEMBERED_MS) })
        return value
      },
    }
  }

  return {
    open,
    async stop() {
      unsubscribe()
      await revocations.stop()
    },
  }
}

function forgetIn(kept: Map<string, { readonly tags: readonly string[] }>, keys: readonly string[], tags: Tags | undefined) {
  for (const key of keys) kept.delete(key)
  if (tags) for (const [key, known] of kept) if (known.tags.some((tag) => tags.has(tag))) kept.delete(key)
}
