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
import { call, keep, kept } from './api.ts'
import type { Account } from './fields.ts'

export interface Wilaya {
  readonly id: number
  readonly name: string
}
export interface Commune {
  readonly name: string
  readonly wilayaId: number
  /** Its postal code, which names its stop desk where it has one. */
  readonly station?: string
  readonly desk: boolean
}

/** A list, which the platform may write as an object keyed by position. */
export function listIn({ company }: Account, value: unknown, what: string): Row[] {
  if (!Array.isArray(value) && !isRow(value)) throw unreadable(company.label, `no list of ${what}`)
  return rows(value)
}

/** Only those served are listed. */
export const wilayasOf = (account: Account) =>
  kept(account, 'wilayas', async () => {
    const wilayas = listIn(account, await call(account, 'get/wilayas'), 'wilayas').flatMap(wilayaIn)
    if (wilayas.length === 0) throw unreadable(account.company.label, 'no wilayas')
    return wilayas
  })

const notesOf = (wilayaId: number) => `communes:${wilayaId}`

/** Remembered wilaya by wilaya: a whole list that the quota cut short goes on where it stopped. */
export const communesOf = (account: Account, wilayaId: number) =>
  kept(account, notesOf(wilayaId), async () => {
    const answer = await call(account, 'get/communes', { query: { wilaya_id: wilayaId } })
    return listIn(account, answer, 'communes')
      .flatMap(communeIn)
      .filter((commune) => commune.wilayaId === wilayaId)
  })

/**
 * Whether one call without a wilaya lists all is not documented: it is tried, and believed only where no wilaya is missing. However it
 * fails, the documented call for each wilaya is still to be asked.
 */
const triedAtOnce = (account: Account, wilayas: readonly Wilaya[]) =>
  kept(account, 'communes', async () => {
    const none = () => []
    const answer = await call(account, 'get/communes')
      .catch(where('refused', none))
      .catch(where('not_found', none))
      .catch(where('unavailable', none))
    const found = Map.groupBy(rows(answer).flatMap(communeIn), ({ wilayaId }) => wilayaId)
    const isWhole = wilayas.every(({ id }) => found.has(id))
    if (isWhole) await Promise.all([...found].map(([id, communes]) => keep(account, notesOf(id), communes)))
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

/** Our state codes are the platform's numbers of wilayas; the name decides where there is no such number. */
export async function wilayaOf(account: Account, stateCode: string, stateName = ''): Promise<Wilaya> {
  const wilayas = await wilayasOf(account)
  const id = wilayaNumber(stateCode) ?? 0
  if (id >= 1 && id <= 58 && !wilayas.some((wilaya) => wilaya.id === id))
    refuse('not_served', `${account.company.label} does not deliver to wilaya ${stateCode}.`)
  return wilayaAmong(wilayas, stateCode, stateName)
}

export const communeOf = async (account: Account, wilaya: Wilaya, name: string) =>
  named(await communesOf(account, wilaya.id), name, `commune of ${wilaya.name}`)

/** What a shipment's `pickupId` names: the station code, else the commune itself. */
const deskId = ({ station, name }: Commune) => station ?? name

/** Desks stand in communes, and the commune is what is sent; where several share a station, the one named decides. */
export async function deskOf(account: Account, wilaya: Wilaya, pickupId: string | undefined, cityName: string): Promise<Commune> {
  const desks = (await communesOf(account, wilaya.id)).filter(({ desk }) => desk)
  const isNamed = ({ name }: Commune) => foldName(name) === foldName(cityName)
  const candidates = pickupId === undefined ? desks.filter(isNamed) : desks.filter((desk) => deskId(desk) === pickupId)
  const found = candidates.find(isNamed) ?? candidates[0]
  if (found) return found
  const wanted = pickupId === undefined ? `in ${cityName}` : pickupId
  return refuse('unknown_center', `There is no stop desk ${wanted}. ${wilaya.name} has ${listOf(desks, deskId)}.`)
}

export const states = async (account: Account): Promise<State[]> => statesOf(await wilayasOf(account))

/** The communes of one wilaya, or of all. */
async function communesIn(account: Account, stateId: string | undefined): Promise<Commune[]> {
  const wilayas = await wilayasOf(account)
  if (stateId === undefined) await triedAtOnce(account, wilayas)
  const wanted = stateId === undefined ? wilayas : wilayas.filter(({ id }) => id === number(stateId))
  const found: Commune[] = []
  for (const { id } of wanted) found.push(...(await communesOf(account, id)))
  return found
}

/** Communes have no number of their own here. */
export async function cities(account: Account, query: { stateId?: string }): Promise<City[]> {
  const communes = await communesIn(account, query.stateId)
  return different(
    communes.map(({ name, wilayaId, desk }) => ({ id: `${wilayaId}-${name}`, name, stateId: String(wilayaId), home: true, pickup: desk })),
  )
}

/** `get/desks` says neither wilaya nor commune of a desk, so the desks are the communes that have one. */
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

/** The first of each id: communes may share a station. */
function different<R extends { readonly id: string }>(found: readonly R[]): R[] {
  const ids = new Set<string>()
  return found.filter(({ id }) => !ids.has(id) && ids.add(id))
}
