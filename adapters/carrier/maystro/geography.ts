import { type City, foldName, isRow, named, number, remembered, type State, text, unreadable, where } from 'serai/carrier'
import { get, LABEL, listIn } from './api.ts'
import type { Context } from './fields.ts'
import { codeNamed, namesOf } from './wilayas.ts'

/** Wilaya or commune with the carrier's own id. */
export interface Place {
  readonly id: number
  readonly name: string
}

const COUNTRY = 1

/** Lists the wilayas, cached. */
export const wilayasOf = (context: Context) => remembered(context, 'wilayas', () => fetchWilayas(context))
/** Lists the communes of a wilaya, cached. */
export const communesOf = (context: Context, wilayaId: number) =>
  remembered(context, `communes:${wilayaId}`, () => fetchCommunes(context, wilayaId))

/** Reads the wilayas. Known clients use two different paths, so the second is tried when the first is not found. */
export async function fetchWilayas(context: Context): Promise<Place[]> {
  const query = { country: COUNTRY, language: 'fr' }
  const answer = await get(context, 'shared/wilayas/', query).catch(where('not_found', () => get(context, 'base/wilayas/', query)))
  const wilayas = listIn(answer, 'wilayas').flatMap(placeIn)
  if (wilayas.length === 0) throw unreadable(LABEL, 'no wilayas')
  return wilayas
}

async function fetchCommunes(context: Context, wilayaId: number): Promise<Place[]> {
  const listed = listIn(await get(context, 'shared/communes/', { wilaya: wilayaId }), 'communes')
  const communes = listed.flatMap(placeIn)
  if (listed.length > 0 && communes.length === 0) throw unreadable(LABEL, 'communes without numbers and names')
  return communes
}

/** Reads a place: `[id, name]` or an object. The format of communes is not documented. */
function placeIn(row: unknown): Place[] {
  const cells = Array.isArray(row) ? row : isRow(row) ? [row.id, row.name ?? row.name_fr ?? row.nom] : []
  const id = cells.map(number).find((cell) => cell !== undefined)
  const name = cells.map(text).find((cell) => cell !== undefined && number(cell) === undefined)
  return id === undefined || name === undefined ? [] : [{ id, name: name.trim() }]
}

/** Finds a wilaya by name, because the carrier has its own ids. */
export async function wilayaOf(context: Context, stateCode: string, stateName = ''): Promise<Place> {
  const wilayas = await wilayasOf(context)
  const names = [stateName, ...namesOf(stateCode)].filter(Boolean)
  const spelt = new Set(names.map(foldName))
  const [found, ...others] = wilayas.filter(({ name }) => spelt.has(foldName(name)))
  return found && others.length === 0 ? found : named(wilayas, names[0] ?? stateCode, 'wilaya')
}

export async function communeOf(context: Context, wilaya: Place, cityName: string): Promise<Place> {
  return named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)
}

/** Lists the wilayas. */
export async function states(context: Context): Promise<State[]> {
  const wilayas = await fetchWilayas(context)
  return wilayas.map(({ id, name }) => {
    const code = codeNamed(name)
    return { id: String(id), name, ...(code !== undefined && { code }), deliverable: true }
  })
}

/** Lists the communes, one call per wilaya. Each is cached, so that a listing that hits the rate limit can resume. */
export async function cities(context: Context, { stateId }: { stateId?: string }): Promise<City[]> {
  const wilayas = (await wilayasOf(context)).filter(({ id }) => stateId === undefined || id === number(stateId))
  const found: City[] = []
  // Locations of stop desks are not published.
  for (const wilaya of wilayas)
    for (const { id, name } of await communesOf(context, wilaya.id))
      found.push({ id: String(id), name, stateId: String(wilaya.id), home: true, pickup: false })
  return found
}
