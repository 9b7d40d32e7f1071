import {
  type Center,
  type City,
  number,
  pointAt,
  type Row,
  remembered,
  rememberedInWilaya,
  type State,
  statesOf,
  text,
  wilayaAmong,
  wilayaIdIn,
  yes,
} from 'serai/carrier'
import { type Account, all, unreadable } from './api.ts'

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

/** Lists the wilayas, cached. */
export const wilayasOf = (account: Account) => remembered(account.context, 'wilayas', () => fetchWilayas(account))
/** Lists the communes of a wilaya, cached. */
export const communesOf = (account: Account, wilayaId: number) =>
  rememberedInWilaya(account.context, 'communes', wilayaId, () => fetchCommunes(account))
export const desksOf = (account: Account, wilayaId: number) =>
  rememberedInWilaya(account.context, 'centers', wilayaId, () => fetchDesks(account))

/** Finds a wilaya by our state code, which is the carrier's number, else by name. */
export async function wilayaOf(account: Account, stateCode: string, stateName = ''): Promise<Wilaya> {
  return wilayaAmong(await wilayasOf(account), stateCode, stateName)
}

/** Lists the wilayas. */
export const states = async (account: Account): Promise<State[]> => statesOf(await fetchWilayas(account))

export async function cities(account: Account, query: { stateId?: string }): Promise<City[]> {
  const communes = await fetchCommunes(account, wilayaIdIn(query.stateId))
  return communes.map(({ id, name, wilayaId, deliverable, desk, days }) => ({
    id: String(id),
    name,
    stateId: String(wilayaId),
    home: deliverable,
    pickup: desk,
    ...(days !== undefined && { deliveryDays: days }),
  }))
}

/** Lists the stop desks. */
export async function centers(account: Account, query: { stateId?: string }): Promise<Center[]> {
  const wilayaId = wilayaIdIn(query.stateId)
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

/** Reads coordinates such as `"36.75,3.05"`. */
function pointIn(gps = ''): { latitude?: number; longitude?: number } {
  const [latitude, longitude, ...rest] = gps.split(',')
  return rest.length > 0 ? {} : pointAt(latitude, longitude)
}
