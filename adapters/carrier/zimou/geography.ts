import {
  type Center,
  type City,
  number,
  type Row,
  remembered,
  rememberedInWilaya,
  type State,
  statesOf,
  text,
  unreadable,
  wilayaAmong,
  wilayaIdIn,
} from 'serai/carrier'
import { label, list } from './api.ts'
import type { Context } from './fields.ts'

export interface Wilaya {
  readonly id: number
  readonly name: string
}
export interface Commune {
  readonly id: number
  readonly name: string
  readonly wilayaId: number
}
/** Pickup point: a partner's office in one commune. */
export interface Office {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly commune: string
  readonly wilayaId: number
}

export async function fetchWilayas(context: Context): Promise<Wilaya[]> {
  const wilayas = (await list(context, 'v3/helpers/wilayas')).flatMap(({ id, name }) => {
    const [wilayaId, wilaya] = [number(id), text(name)?.trim()]
    return wilayaId !== undefined && wilaya ? [{ id: wilayaId, name: wilaya }] : []
  })
  if (wilayas.length === 0) throw unreadable(label, 'no wilayas')
  return wilayas
}

async function fetchCommunes(context: Context): Promise<Commune[]> {
  return (await list(context, 'v3/helpers/communes')).flatMap((row) => {
    const [id, name, wilayaId] = [number(row.id), text(row.name), number(row.wilaya_id)]
    return id !== undefined && name !== undefined && wilayaId !== undefined ? [{ id, name, wilayaId }] : []
  })
}

/** Reads the offices with their communes, which they name by id alone. Offices in an unknown commune are left out. */
async function fetchOffices(context: Context): Promise<Office[]> {
  const communes = new Map((await fetchCommunes(context)).map((commune) => [commune.id, commune]))
  return (await list(context, 'v3/helpers/offices')).flatMap((row) => officeIn(row, communes))
}

function officeIn(row: Row, communes: ReadonlyMap<number, Commune>): Office[] {
  const [id, name, partner] = [number(row.id), text(row.name), text(row.partner_company_name)]
  const commune = communes.get(number(row.commune_id) ?? -1)
  if (id === undefined || name === undefined || !commune) return []
  const told = partner === undefined ? name : `${name} (${partner})`
  return [{ id, name: told, address: text(row.address) ?? '', commune: commune.name, wilayaId: commune.wilayaId }]
}

/** Lists the wilayas, cached. */
const wilayasOf = (context: Context) => remembered(context, 'wilayas', () => fetchWilayas(context))
/** Lists the communes of a wilaya, cached. */
export const communesOf = (context: Context, wilayaId: number) =>
  rememberedInWilaya(context, 'communes', wilayaId, () => fetchCommunes(context))
export const officesOf = (context: Context, wilayaId: number) =>
  rememberedInWilaya(context, 'offices', wilayaId, () => fetchOffices(context))

/** Finds a wilaya by our state code, which is the carrier's number, else by name. */
export async function wilayaOf(context: Context, stateCode: string, stateName = ''): Promise<Wilaya> {
  return wilayaAmong(await wilayasOf(context), stateCode, stateName)
}

/** Lists the wilayas. */
export const states = async (context: Context): Promise<State[]> => statesOf(await fetchWilayas(context))

const officesIn = (context: Context, wilayaId: number | undefined) =>
  wilayaId === undefined ? fetchOffices(context) : officesOf(context, wilayaId)

export async function cities(context: Context, { stateId }: { stateId?: string }): Promise<City[]> {
  const wilayaId = wilayaIdIn(stateId)
  const communes = wilayaId === undefined ? await fetchCommunes(context) : await communesOf(context, wilayaId)
  const offices = await officesIn(context, wilayaId)
  const withOffice = new Set(offices.map((office) => `${office.wilayaId} ${office.commune}`))
  return communes.map(({ id, name, wilayaId }) => ({
    id: String(id),
    name,
    stateId: String(wilayaId),
    home: true,
    pickup: withOffice.has(`${wilayaId} ${name}`),
  }))
}

/** Lists the stop desks. */
export async function centers(context: Context, { stateId }: { stateId?: string }): Promise<Center[]> {
  const offices = await officesIn(context, wilayaIdIn(stateId))
  return offices.map(({ id, name, address, commune, wilayaId }) => ({
    id: String(id),
    name,
    stateId: String(wilayaId),
    cityName: commune,
    address,
  }))
}
