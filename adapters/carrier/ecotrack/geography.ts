import {
  type Center,
  type City,
  foldName,
  isRow,
  listOf,
  named,
  number,
  type Row,
  refuse,
  rows,
  type State,
  statesOf,
  text,
  unreadable,
  where,
  wilayaAmong,
  wilayaNumber,
  word,
  yes,
} from 'serai/carrier'
import { cachedForHost, cacheForHost, call } from './api.ts'
import type { Account } from './fields.ts'

export interface Wilaya {
  readonly id: number
  readonly name: string
}
export interface Commune {
  readonly name: string
  readonly wilayaId: number
  /** Postal code, which identifies the stop desk if the commune has one. */
  readonly station?: string
  readonly desk: boolean
}

/** Reads a list, which the platform may write as an object keyed by position. */
export function listIn({ company }: Account, value: unknown, what: string): Row[] {
  if (!Array.isArray(value) && !isRow(value)) throw unreadable(company.label, `no list of ${what}`)
  return rows(value)
}

/** Lists the wilayas that the company serves. */
const wilayasOf = (account: Account) =>
  cachedForHost(account, 'wilayas', async () => {
    const wilayas = listIn(account, await call(account, 'get/wilayas'), 'wilayas').flatMap(wilayaIn)
    if (wilayas.length === 0) throw unreadable(account.company.label, 'no wilayas')
    return wilayas
  })

const notesOf = (wilayaId: number) => `communes:${wilayaId}`

/** Lists the communes of a wilaya. Cached per wilaya, so that a listing that hits the rate limit can resume. */
const communesOf = (account: Account, wilayaId: number) =>
  cachedForHost(account, notesOf(wilayaId), async () => {
    const answer = await call(account, 'get/communes', { query: { wilaya_id: wilayaId } })
    return listIn(account, answer, 'communes')
      .flatMap(communeIn)
      .filter((commune) => commune.wilayaId === wilayaId)
  })

/**
 * Tries to read all communes in one call, which is not documented. Accepts the result only if no wilaya is missing; on any failure, the
 * documented call per wilaya is used.
 */
const fetchCommunesAtOnce = (account: Account, wilayas: readonly Wilaya[]) =>
  cachedForHost(account, 'communes', async () => {
    const none = () => []
    const answer = await call(account, 'get/communes')
      .catch(where('refused', none))
      .catch(where('not_found', none))
      .catch(where('unavailable', none))
    const found = Map.groupBy(rows(answer).flatMap(communeIn), ({ wilayaId }) => wilayaId)
    const isWhole = wilayas.every(({ id }) => found.has(id))
    if (isWhole) await Promise.all([...found].map(([id, communes]) => cacheForHost(account, notesOf(id), communes)))
    return { isWhole }
  })

function wilayaIn(row: Row): Wilaya[] {
  const [id, name] = [number(row.wilaya_id), text(row.wilaya_name)]
  return id === undefined || name === undefined ? [] : [{ id, name }]
}

function communeIn(row: Row): Commune[] {
  const [name, wilayaId, station] = [text(row.nom), number(row.wilaya_id), word(row.code_postal)]
  if (name === undefined || wilayaId === undefined) return []
  return [{ name, wilayaId, desk: yes(row.has_stop_desk), ...(station !== undefined && { station }) }]
}

/** Finds a wilaya by our state code, which is the platform's number, else by name. */
export async function wilayaOf(account: Account, stateCode: string, stateName = ''): Promise<Wilaya> {
  const wilayas = await wilayasOf(account)
  const id = wilayaNumber(stateCode) ?? 0
  if (id >= 1 && id <= 58 && !wilayas.some((wilaya) => wilaya.id === id))
    refuse('not_served', `${account.company.label} does not deliver to wilaya ${stateCode}.`)
  return wilayaAmong(wilayas, stateCode, stateName)
}

export const communeOf = async (account: Account, wilaya: Wilaya, name: string) =>
  named(await communesOf(account, wilaya.id), name, `commune of ${wilaya.name}`)

/** `pickupId` of a desk: the station code, else the commune's name. */
const deskId = ({ station, name }: Commune) => station ?? name

/** Finds the stop desk. Orders name a desk by its commune; if several communes share a station, the city name decides. */
export async function deskOf(account: Account, wilaya: Wilaya, pickupId: string | undefined, cityName: string): Promise<Commune> {
  const desks = (await communesOf(account, wilaya.id)).filter(({ desk }) => desk)
  const isNamed = ({ name }: Commune) => foldName(name) === foldName(cityName)
  const candidates = pickupId === undefined ? desks.filter(isNamed) : desks.filter((desk) => deskId(desk) === pickupId)
  const found = candidates.find(isNamed) ?? candidates[0]
  if (found) return found
  const wanted = pickupId === undefined ? `in ${cityName}` : pickupId
  return refuse('unknown_center', `There is no stop desk ${wanted}. ${wilaya.name} has ${listOf(desks, deskId)}.`)
}

/** Lists the wilayas. */
export const states = async (account: Account): Promise<State[]> => statesOf(await wilayasOf(account))

/** Lists the communes of one wilaya, or of all. */
async function communesIn(account: Account, stateId: string | undefined): Promise<Commune[]> {
  const wilayas = await wilayasOf(account)
  if (stateId === undefined) await fetchCommunesAtOnce(account, wilayas)
  const wanted = stateId === undefined ? wilayas : wilayas.filter(({ id }) => id === number(stateId))
  const found: Commune[] = []
  for (const { id } of wanted) found.push(...(await communesOf(account, id)))
  return found
}

/** Lists the cities. Communes have no numeric id here. */
export async function cities(account: Account, query: { stateId?: string }): Promise<City[]> {
  const communes = await communesIn(account, query.stateId)
  return different(
    communes.map(({ name, wilayaId, desk }) => ({ id: `${wilayaId}-${name}`, name, stateId: String(wilayaId), home: true, pickup: desk })),
  )
}

/** Lists the stop desks: the communes that have one, because `get/desks` gives neither wilaya nor commune. */
export async function centers(account: Account, query: { stateId?: string }): Promise<Center[]> {
  const communes = await communesIn(account, query.stateId)
  const desks = communes.filter(({ desk }) => desk)
  return different(
    desks.map((desk) => ({
      id: deskId(desk),
      name: `Stop desk ${desk.name}`,
      stateId: String(desk.wilayaId),
      cityName: desk.name,
      address: desk.name,
    })),
  )
}

/** Keeps the first row of each id, since communes may share a station. */
function different<R extends { readonly id: string }>(found: readonly R[]): R[] {
  const ids = new Set<string>()
  return found.filter(({ id }) => !ids.has(id) && ids.add(id))
}
