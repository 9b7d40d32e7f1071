import { HOST_FAILURE } from '../../adapter.ts'
import { isRow } from '../../toolkit/values.ts'
import type { AdapterStorage } from '../contract.ts'
import { CarrierError } from '../contract.ts'

const dayMs = 86_400_000
const briefMs = 60_000
const maxNear = 5

/** Normalizes a name: accents, case, spaces, hyphens, apostrophes and periods do not count. */
export const foldName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\-'’`.]+/gu, '')

/** Finds the row with this name. Refuses an unknown or ambiguous name with similar ones as a hint; it never takes another row. */
export function named<R extends { readonly name: string }>(rows: readonly R[], name: string, what: string): R {
  const wanted = foldName(name)
  const found = rows.filter((row) => foldName(row.name) === wanted)
  const [one = rows.find((row) => row.name === name)] = found.length > 1 ? found.filter((row) => row.name === name) : found
  if (one) return one
  const near = nearest(rows, wanted).map((row) => row.name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''
  throw new CarrierError('refused', `The carrier knows no ${what} called "${name}". Correct it.${hint}`, {
    code: 'unknown_place',
  })
}

function nearest<R extends { readonly name: string }>(rows: readonly R[], wanted: string): R[] {
  const scored = rows.map((row) => ({ row, score: similarity(foldName(row.name), wanted) }))
  const close = scored.filter(({ score }) => score >= 0.4).sort((a, b) => b.score - a.score)
  return close.slice(0, maxNear).map(({ row }) => row)
}

/** Returns the share of letter pairs that two names have in common. */
function similarity(a: string, b: string): number {
  const pairs = (name: string) => new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)))
  const [left, right] = [pairs(a), pairs(b)]
  return (2 * [...left].filter((pair) => right.has(pair)).length) / Math.max(1, left.size + right.size)
}

/** Part of the context that caching needs. */
interface CacheContext {
  readonly connectionId: string
  readonly storage: AdapterStorage
  now(): number
}

/** Options of a cached value. */
export interface Keeping {
  /** Lifetime in milliseconds; a day by default. */
  readonly forMs?: number
  /** Version of the stored format. Raise it when your code stores something else under the same key, since storage outlives the code. */
  readonly version?: number
}

/**
 * Returns a value from the connection's cache, or calls `ask` and caches the result for a day. Concurrent callers share one call. An empty
 * list is cached for a minute only: often enough to spare calls, and too short for a temporary failure to matter.
 */
export async function remembered<V>(context: CacheContext, key: string, ask: () => Promise<V>, keeping: Keeping = {}): Promise<V> {
  const cached = await recalled<V>(context, key, keeping)
  return cached ?? together(context, key, async () => cacheResult(context, key, await ask(), keeping))
}

/** Returns the cached value under `key` if it is still valid and of this version; else undefined. */
export async function recalled<V>(
  { storage, now }: CacheContext,
  key: string,
  { forMs = dayMs, version }: Keeping = {},
): Promise<V | undefined> {
  const cached = await storage.get(key)
  if (!isRow(cached) || typeof cached.at !== 'number' || cached.version !== version) return undefined
  const lastsMs = cached.brief === true ? Math.min(forMs, briefMs) : forMs
  return cached.at > now() - lastsMs ? (cached.value as V) : undefined
}

/** Caches a value under `key` and returns it. */
export const remember = <V>(context: CacheContext, key: string, value: V, keeping: Keeping = {}): Promise<V> =>
  write(context, key, value, keeping, { brief: false })

const cacheResult = <V>(context: CacheContext, key: string, value: V, keeping: Keeping): Promise<V> =>
  write(context, key, value, keeping, { brief: Array.isArray(value) && value.length === 0 })

async function write<V>(
  { storage, now }: CacheContext,
  key: string,
  value: V,
  { version }: Keeping,
  { brief }: { readonly brief: boolean },
): Promise<V> {
  await storage.set(key, { at: now(), value, ...(version !== undefined && { version }), ...(brief && { brief }) })
  return value
}

const pending = new Map<string, Promise<unknown>>()

/**
 * Shares one call among concurrent callers with the same connection and key. If the host refused that call, the others make their own: a
 * send may be allowed when a background read is not.
 */
export async function together<V>({ connectionId }: Pick<CacheContext, 'connectionId'>, key: string, ask: () => Promise<V>): Promise<V> {
  const id = `${connectionId} ${key}`
  for (let other = pending.get(id); other; other = pending.get(id)) {
    const answer = await other.then(
      (value) => ({ value: value as V }),
      (error: unknown) => {
        if (!isHostRefusal(error)) throw error
      },
    )
    if (answer) return answer.value
  }
  const own = ask().finally(() => pending.delete(id))
  pending.set(id, own)
  return own
}

/** Returns true if the host refused the call, directly or through `ask`. */
const isHostRefusal = (error: unknown): boolean =>
  error instanceof Error && (error.name === HOST_FAILURE || (error.cause instanceof Error && error.cause.name === HOST_FAILURE))

/**
 * Returns the rows of one group of a long list (the communes of one state) from the cache. The whole list comes in a call or two, since one
 * call per group would exceed the quota. Each group is stored separately, since a value holds at most 64 KiB.
 */
export async function rememberedGroup<R>(
  context: CacheContext,
  kind: string,
  group: string,
  groupOf: (row: R) => string,
  ask: () => Promise<R[]>,
  keeping: Keeping = {},
): Promise<R[]> {
  const cached = (await recalled<R[]>(context, `${kind}:${group}`, keeping)) ?? (await recalled<R[]>(context, kind, keeping))
  if (cached !== undefined) return cached
  const found = await together(context, kind, async () => {
    const rows = await ask()
    if (rows.length === 0) await cacheResult(context, kind, rows, keeping)
    const groups = Map.groupBy(rows, groupOf)
    const names = groups.size === 0 ? [] : [...new Set([group, ...groups.keys()])]
    await Promise.all(names.map((name) => remember(context, `${kind}:${name}`, groups.get(name) ?? [], keeping)))
    return groups
  })
  return found.get(group) ?? []
}
