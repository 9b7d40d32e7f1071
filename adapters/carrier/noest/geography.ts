import {
  type Center,
  type City,
  foldName,
  isRow,
  number,
  present,
  type Row,
  remembered,
  rememberedInWilaya,
  rows,
  type State,
  statesOf,
  text,
  unreadable,
  wilayaAmong,
  wilayaIdIn,
  yes,
} from 'serai/carrier'
import { get, LABEL } from './api.ts'
import type { Context } from './fields.ts'

export interface Wilaya {
  readonly id: number
  readonly name: string
  readonly deliverable: boolean
}
export interface Commune {
  readonly name: string
  readonly wilayaId: number
  readonly deliverable: boolean
}
export interface Desk {
  /** Code such as `01A`; its number is that of the wilaya. */
  readonly code: string
  readonly name: string
  readonly commune: string
  readonly address: string
  readonly wilayaId: number
  readonly phone?: string
}

/** Lists the wilayas, cached. */
const wilayasOf = (context: Context) => remembered(context, 'wilayas', () => fetchWilayas(context))
/** Lists the communes of a wilaya, cached. */
export const communesOf = (context: Context, wilayaId: number) =>
  rememberedInWilaya(context, 'communes', wilayaId, () => fetchCommunes(context))
export const desksOf = (context: Context, wilayaId: number) => rememberedInWilaya(context, 'desks', wilayaId, () => fetchDesks(context))

export async function fetchWilayas(context: Context): Promise<Wilaya[]> {
  const wilayas = rows(await get(context, 'get/wilayas')).flatMap(({ code, nom, is_active }): Wilaya[] => {
    const [id, name] = [number(code), text(nom)]
    return id === undefined || name === undefined ? [] : [{ id, name, deliverable: yes(is_active) }]
  })
  if (wilayas.length === 0) throw unreadable(LABEL, 'no wilayas')
  return wilayas
}

async function fetchCommunes(context: Context): Promise<Commune[]> {
  const communes = rows(await get(context, 'get/communes')).flatMap(({ nom, wilaya_id, is_active }): Commune[] => {
    const [name, wilayaId] = [text(nom)?.trim(), number(wilaya_id)]
    return !name || wilayaId === undefined ? [] : [{ name, wilayaId, deliverable: yes(is_active) }]
  })
  if (communes.length === 0) throw unreadable(LABEL, 'no communes')
  return [...new Map(communes.map((commune) => [cityId(commune), commune])).values()]
}

/** Reads the desks, an object keyed by their codes. */
async function fetchDesks(context: Context): Promise<Desk[]> {
  const answer = await get(context, 'desks')
  if (!isRow(answer) && !Array.isArray(answer)) throw unreadable(LABEL, 'no desks')
  const entries = Object.entries(answer)
  const desks = entries.flatMap(([key, row]) => (isRow(row) ? deskIn(text(row.code) ?? key, row) : []))
  if (desks.length === 0 && entries.length > 0) throw unreadable(LABEL, 'no desks')
  return desks
}

function deskIn(code: string, row: Row): Desk[] {
  const wilayaId = /^\d{1,2}(?=\D)/.exec(code)
  if (!wilayaId) return []
  const name = text(row.name) ?? code
  const phones = isRow(row.phones) || Array.isArray(row.phones) ? Object.values(row.phones) : []
  const phone = phones.map(text).find((found) => found !== undefined)
  const desk = { code, name, commune: text(row.commune) ?? name, address: text(row.address) ?? '', wilayaId: Number(wilayaId[0]) }
  return [phone === undefined ? desk : { ...desk, phone }]
}

/** Finds a wilaya by our state code, which is the carrier's number, else by name. */
export async function wilayaOf(context: Context, stateCode: string, stateName = ''): Promise<Wilaya> {
  return wilayaAmong(await wilayasOf(context), stateCode, stateName)
}

/** Lists the wilayas. */
export const states = async (context: Context): Promise<State[]> => statesOf(await fetchWilayas(context))

/** Id of a commune, made of its name because the carrier gives none. */
const cityId = ({ wilayaId, name }: Commune) => `${wilayaId}-${name}`
const inWilaya = <R extends { readonly wilayaId: number }>(all: readonly R[], stateId: string | undefined) =>
  stateId === undefined ? all : all.filter(({ wilayaId }) => wilayaId === number(stateId))

export async function cities(context: Context, { stateId }: { stateId?: string }): Promise<City[]> {
  const communes = inWilaya(await fetchCommunes(context), stateId)
  const served = new Set((await fetchDesks(context)).map(({ wilayaId, commune }) => `${wilayaId} ${foldName(commune)}`))
  return communes.map((commune) => ({
    id: cityId(commune),
    name: commune.name,
    stateId: String(commune.wilayaId),
    home: commune.deliverable,
    pickup: served.has(`${commune.wilayaId} ${foldName(commune.name)}`),
  }))
}

/** Lists the stop desks. */
export async function centers(context: Context, { stateId }: { stateId?: string }): Promise<Center[]> {
  const wilayaId = wilayaIdIn(stateId)
  const desks = wilayaId === undefined ? await fetchDesks(context) : await desksOf(context, wilayaId)
  return desks.map(({ code, name, commune, address, wilayaId, phone }) => ({
    id: code,
    name,
    stateId: String(wilayaId),
    cityName: commune,
    address,
    ...present({ phone }),
  }))
}
