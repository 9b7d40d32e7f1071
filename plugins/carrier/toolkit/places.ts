import { HOST_FAILURE } from '../../adapter.ts'
import { isRow } from '../../toolkit/values.ts'
import type { Memory } from '../contract.ts'
import { CarrierError } from '../contract.ts'

const dayMs = 86_400_000
const briefMs = 60_000
const maxNear = 5

/** Names differ by accents, case, spaces, hyphens, apostrophes and periods. */
export const foldName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\-'’`.]+/gu, '')

/** The one of `rows` that is called so; refuses, with what comes near, rather than take another. */
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
  const scored = rows.map((row) => ({ row, score: alike(foldName(row.name), wanted) }))
  const close = scored.filter(({ score }) => score >= 0.4).sort((a, b) => b.score - a.score)
  return close.slice(0, maxNear).map(({ row }) => row)
}

/** The share of letter pairs that two names have in common. */
function alike(a: string, b: string): number {
  const pairs = (name: string) => new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)))
  const [left, right] = [pairs(a), pairs(b)]
  return (2 * [...left].filter((pair) => right.has(pair)).length) / Math.max(1, left.size + right.size)
}

/** What remembering needs of a context. */
interface Remembering {
  readonly connectionId: string
  readonly memory: Memory
  now(): number
}

/** How what is remembered is kept. */
export interface Keeping {
  /** Milliseconds; a day unless said. */
  readonly forMs?: number
  /** Raise it when your code comes to keep something else under the same key: the note-book outlives the code that wrote into it. */
  readonly version?: number
}

/**
 * Asks once a day: a send would cost several calls otherwise. Whoever asks for the same meanwhile waits for the first answer. An empty
 * list is kept for a minute: a carrier that has none is not asked at every parcel, and a bad minute of another refuses none for a day.
 */
export async function remembered<V>(context: Remembering, key: string, ask: () => Promise<V>, keeping: Keeping = {}): Promise<V> {
  const kept = await recalled<V>(context, key, keeping)
  return kept ?? together(context, key, async () => keepAnswer(context, key, await ask(), keeping))
}

/** What is still remembered under `key`, and was written by this version. */
export async function recalled<V>(
  { memory, now }: Remembering,
  key: string,
  { forMs = dayMs, version }: Keeping = {},
): Promise<V | undefined> {
  const kept = await memory.get(key)
  if (!isRow(kept) || typeof kept.at !== 'number' || kept.version !== version) return undefined
  const lastsMs = kept.brief === true ? Math.min(forMs, briefMs) : forMs
  return kept.at > now() - lastsMs ? (kept.value as V) : undefined
}

export const remember = <V>(context: Remembering, key: string, value: V, keeping: Keeping = {}): Promise<V> =>
  write(context, key, value, keeping, false)

const keepAnswer = <V>(context: Remembering, key: string, value: V, keeping: Keeping): Promise<V> =>
  write(context, key, value, keeping, Array.isArray(value) && value.length === 0)

async function write<V>({ memory, now }: Remembering, key: string, value: V, { version }: Keeping, brief: boolean): Promise<V> {
  await memory.set(key, { at: now(), value, ...(version !== undefined && { version }), ...(brief && { brief }) })
  return value
}

const underWay = new Map<string, Promise<unknown>>()

/**
 * Shares one answer among those who ask for the same of one connection at once. Where the host held that call back, the others ask for
 * themselves: a send may leave when a background read may not.
 */
export async function together<V>({ connectionId }: Pick<Remembering, 'connectionId'>, key: string, ask: () => Promise<V>): Promise<V> {
  const id = `${connectionId} ${key}`
  for (let other = underWay.get(id); other; other = underWay.get(id)) {
    const answer = await other.then(
      (value) => ({ value: value as V }),
      (error: unknown) => {
        if (!isHeldBack(error)) throw error
      },
    )
    if (answer) return answer.value
  }
  const own = ask().finally(() => underWay.delete(id))
  underWay.set(id, own)
  return own
}

/** Whether the host did not let the call leave, and said so itself or by way of `ask`. */
const isHeldBack = (error: unknown): boolean =>
  error instanceof Error && (error.name === HOST_FAILURE || (error.cause instanceof Error && error.cause.name === HOST_FAILURE))

/**
 * The rows of one group of a long list (the communes of one state). All of it comes in a call or two and each group is kept apart,
 * since a note holds 64 KiB: a call for each group would use up the quota.
 */
export async function rememberedGroup<R>(
  context: Remembering,
  kind: string,
  group: string,
  groupOf: (row: R) => string,
  ask: () => Promise<R[]>,
  keeping: Keeping = {},
): Promise<R[]> {
  const kept = (await recalled<R[]>(context, `${kind}:${group}`, keeping)) ?? (await recalled<R[]>(context, kind, keeping))
  if (kept !== undefined) return kept
  const found = await together(context, kind, async () => {
    const rows = await ask()
    if (rows.length === 0) await keepAnswer(context, kind, rows, keeping)
    const groups = Map.groupBy(rows, groupOf)
    const names = groups.size === 0 ? [] : [...new Set([group, ...groups.keys()])]
    await Promise.all(names.map((name) => remember(context, `${kind}:${name}`, groups.get(name) ?? [], keeping)))
    return groups
  })
  return found.get(group) ?? []
}
