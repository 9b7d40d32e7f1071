import { CarrierError, type Center, type City, type State } from 'serai/carrier'
import { type Account, all, isRow, number, type Row, text, unreadable, yes } from './api.ts'

export interface Wilaya {
  readonly id: number
  readonly name: string
  readonly deliverable: boolean
}
export interface Commune {
  readonly id: number
  readonly name: string
  readonly wilayaId: number
  readonly deliverable: boolean
  readonly desk: boolean
  readonly days?: number
}
export interface Desk {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly wilayaId: number
  readonly wilaya: string
  readonly commune: string
  readonly gps?: string
}

const dayMs = 86_400_000
const maxNear = 5

/** Names differ by accents, case, spaces, hyphens, apostrophes and periods. */
export const fold = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\-'’`.]+/gu, '')

/** The one of `rows` that is called so; refuses, with what comes near, rather than take another. */
export function named<R extends { readonly name: string }>(rows: readonly R[], name: string, what: string): R {
  const wanted = fold(name)
  const found = rows.filter((row) => fold(row.name) === wanted)
  const [one = rows.find((row) => row.name === name)] = found.length > 1 ? found.filter((row) => row.name === name) : found
  if (one) return one
  const near = nearest(rows, wanted).map((row) => row.name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''
  throw new CarrierError('refused', `The carrier knows no ${what} called "${name}". Correct it.${hint}`, {
    code: 'unknown_place',
  })
}

function nearest<R extends { readonly name: string }>(rows: readonly R[], wanted: string): R[] {
  const scored = rows.map((row) => ({ row, score: alike(fold(row.name), wanted) }))
  const close = scored.filter(({ score }) => score >= 0.4).sort((a, b) => b.score - a.score)
  return close.slice(0, maxNear).map(({ row }) => row)
}

/** The share of letter pairs that two names have in common. */
function alike(a: string, b: string): number {
  const pairs = (name: string) => new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)))
  const [left, right] = [pairs(a), pairs(b)]
  return (2 * [...left].filter((pair) => right.has(pair)).length) / Math.max(1, left.size + right.size)
}

/** Yesterday's answer is not asked for again: a send would cost several calls otherwise. */
export async function remembered<V>(account: Account, key: string, ask: () => Promise<V>): Promise<V> {
  return ((await noted(account, key)) as V | undefined) ?? together(account, key, async () => note(account, key, await ask()))
}

async function noted({ context }: Account, key: string): Promise<unknown> {
  const kept = await context.memory.get(key)
  return isRow(kept) && typeof kept.at === 'number' && kept.at > context.now() - dayMs ? kept.value : undefined
}

async function note<V>({ context }: Account, key: string, value: V): Promise<V> {
  await context.memory.set(key, { at: context.now(), value })
  return value
}

const underWay = new Map<string, Promise<unknown>>()

/** Whoever asks for the same meanwhile waits for the first answer. */
function together<V>({ context }: Account, key: string, ask: () => Promise<V>): Promise<V> {
  const id = `${context.connectionId} ${key}`
  const first = underWay.get(id) ?? ask().finally(() => underWay.delete(id))
  underWay.set(id, first)
  return first as Promise<V>
}

/** The rows of one wilaya. Those of all 58 come in a call or two and are kept apart: a call for each would use up the minute's quota. */
async function inWilaya<R extends { readonly wilayaId: number }>(
  account: Account,
  kind: string,
  wilayaId: number,
  ask: () => Promise<R[]>,
): Promise<R[]> {
  const kept = await noted(account, `${kind}:${wilayaId}`)
  if (kept !== undefined) return kept as R[]
  const rows = await together(account, kind, async () => {
    const byWilaya = Map.groupBy(await ask(), (row) => row.wilayaId)
    const ids = [...new Set([wilayaId, ...byWilaya.keys()])]
    await Promise.all(ids.map((id) => note(account, `${kind}:${id}`, byWilaya.get(id) ?? [])))
    return byWilaya
  })
  return rows.get(wilayaId) ?? []
}

async function fetchWilayas(account: Account): Promise<Wilaya[]> {
  const wilayas = (await all(account, 'wilayas/')).flatMap(wilayaIn)
  if (wilayas.length === 0) throw unreadable(account, 'no wilayas')
  return wilayas
}

function wilayaIn(row: Row): Wilaya[] {
  const [id, name] = [number(row.id), text(row.name)]
  return id === undefined || name === undefined ? [] : [{ id, name, deliverable: yes(row.is_deliverable) }]
}

function communeIn(row: Row): Commune[] {
  const [id, name, wilayaId, days] = [number(row.id), text(row.name), number(row.wilaya_id), number(row.delivery_time_parcel)]
  if (id === undefined || name === undefined || wilayaId === undefined) return []
  const commune = { id, name, wilayaId, deliverable: yes(row.is_deliverable), desk: yes(row.has_stop_desk) }
  return [days === undefined ? commune : { ...commune, days }]
}

function deskIn(row: Row): Desk[] {
  const [id, wilayaId, gps] = [number(row.center_id), number(row.wilaya_id), text(row.gps)]
  const [name, wilaya, commune] = [text(row.name), text(row.wilaya_name), text(row.commune_name)]
  if (id === undefined || wilayaId === undefined || !name || !wilaya || !commune) return []
  return [{ id, name, wilayaId, wilaya, commune, address: text(row.address) ?? '', ...(gps !== undefined && { gps }) }]
}

const fetchCommunes = async (account: Account, wilayaId?: number) =>
  (await all(account, 'communes/', { wilaya_id: wilayaId })).flatMap(communeIn)

const fetchDesks = async (account: Account) => (await all(account, 'centers/')).flatMap(deskIn)

export const wilayasOf = (account: Account) => remembered(account, 'wilayas', () => fetchWilayas(account))
export const communesOf = (account: Account, wilayaId: number) => inWilaya(account, 'communes', wilayaId, () => fetchCommunes(account))
export const desksOf = (account: Account, wilayaId: number) => inWilaya(account, 'centers', wilayaId, () => fetchDesks(account))

/** Our state codes are the numbers that the carrier gives its wilayas; the name decides where there is no such number. */
export async function wilayaOf(account: Account, stateCode: string, stateName = ''): Promise<Wilaya> {
  const wilayas = await wilayasOf(account)
  const id = /^\d{1,2}$/.test(stateCode) ? Number(stateCode) : undefined
  return wilayas.find((wilaya) => wilaya.id === id) ?? named(wilayas, stateName || stateCode, 'wilaya')
}

/** The 58 scheme writes two digits. */
const codeOf = (wilayaId: number) => String(wilayaId).padStart(2, '0')
const idIn = (stateId: string | undefined) => (stateId === undefined ? undefined : (number(stateId) ?? -1))

export async function states(account: Account): Promise<State[]> {
  const wilayas = await fetchWilayas(account)
  return wilayas.map(({ id, name, deliverable }) => ({ id: String(id), name, code: codeOf(id), deliverable }))
}

export async function cities(account: Account, query: { stateId?: string }): Promise<City[]> {
  const communes = await fetchCommunes(account, idIn(query.stateId))
  return communes.map(({ id, name, wilayaId, deliverable, desk, days }) => ({
    id: String(id),
    name,
    stateId: String(wilayaId),
    home: deliverable,
    pickup: desk,
    ...(days !== undefined && { deliveryDays: days }),
  }))
}

export async function centers(account: Account, query: { stateId?: string }): Promise<Center[]> {
  const wilayaId = idIn(query.stateId)
  const desks = wilayaId === undefined ? await fetchDesks(account) : await desksOf(account, wilayaId)
  return desks.map(({ id, name, address, wilayaId, commune, gps }) => ({
    id: String(id),
    name,
    stateId: String(wilayaId),
    cityName: commune,
    address,
    ...pointIn(gps),
  }))
}

/** `"36.75,3.05"` */
function pointIn(gps = ''): { latitude?: number; longitude?: number } {
  const [latitude, longitude, ...rest] = gps.split(',').map(number)
  if (latitude === undefined || longitude === undefined || rest.length > 0) return {}
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : {}
}
