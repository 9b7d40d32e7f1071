import {
  type City,
  foldName,
  isRow,
  named,
  number,
  type Row,
  refuse,
  rememberedGroup,
  type State,
  text,
  unreadable,
  wilayaCode,
  wilayaNumber,
  yes,
} from 'serai/carrier'
import { all, label } from './api.ts'
import type { Context } from './fields.ts'

export interface Territory {
  readonly id: string
  readonly name: string
  /** Number of the wilaya. */
  readonly code?: number
  /** Parent: the wilaya of a commune, or `wilayas` for a wilaya. */
  readonly group: string
  readonly home: boolean
  readonly pickup: boolean
}

const kind = 'territories'
const wilayas = 'wilayas'

/** Reads all territories in two calls and matches here, because the carrier's search needs exact accents and ranks poorly. */
async function fetchTerritories(context: Context): Promise<Territory[]> {
  const found = (await all(context, 'territories', { includeUnavailable: true })).flatMap(territoryIn)
  if (!found.some(({ group }) => group === wilayas)) throw unreadable(label, 'no wilayas')
  return [...new Map(found.map((territory) => [territory.id, territory])).values()]
}

function territoryIn(row: Row): Territory[] {
  const [id, name, parentId, code] = [text(row.id), text(row.name), text(row.parentId), number(row.code)]
  const level = foldName(text(row.level) ?? '')
  if (!id || !name) return []
  const { hasHomeDelivery, hasPickupPoint } = isRow(row.delivery) ? row.delivery : {}
  const territory = { id, name, home: isServed(hasHomeDelivery), pickup: isServed(hasPickupPoint) }
  if (level === 'wilaya') return [{ ...territory, group: wilayas, ...(code !== undefined && { code }) }]
  return level === 'commune' && parentId ? [{ ...territory, group: parentId }] : []
}

/** Returns true unless the territory is marked as not served. */
const isServed = (said: unknown) => said === undefined || said === null || yes(said)

const groupOf = (context: Context, group: string) =>
  rememberedGroup(
    context,
    kind,
    group,
    (territory: Territory) => territory.group,
    () => fetchTerritories(context),
  )

export const territoriesKey = (group: string) => `${kind}:${group}`
/** Lists the wilayas, cached. */
export const wilayasOf = (context: Context) => groupOf(context, wilayas)
/** Lists the communes of a wilaya, cached. */
export const communesOf = (context: Context, wilayaId: string) => groupOf(context, wilayaId)

/** Finds a wilaya by name, else by number. Wilayas without a territory are refused. */
export async function wilayaOf(context: Context, stateCode: string, stateName = ''): Promise<Territory> {
  const known = await wilayasOf(context)
  const wanted = foldName(stateName)
  const found = known.find(({ name }) => foldName(name) === wanted) ?? findByNumber(known, stateCode)
  if (found) return found
  if (wilayaNumber(stateCode) === undefined) return named(known, stateName || stateCode, 'wilaya')
  return refuse('unknown_place', `${label} has no territory for wilaya ${stateCode} ${stateName}. Send it with another carrier.`)
}

const findByNumber = (known: readonly Territory[], code: string) =>
  wilayaNumber(code) === undefined ? undefined : known.find((wilaya) => wilaya.code === wilayaNumber(code))

/** Finds wilayas by the carrier's id or our two digits. */
export async function wilayasNamed(context: Context, stateId: string | undefined): Promise<Territory[]> {
  const known = await wilayasOf(context)
  if (stateId === undefined) return known
  const found = known.find(({ id }) => id === stateId) ?? findByNumber(known, stateId)
  return found ? [found] : []
}

export const codeOf = ({ code }: Territory) => (code === undefined ? undefined : wilayaCode(code))

/** Lists the wilayas. */
export async function states(context: Context): Promise<State[]> {
  return (await wilayasOf(context)).map((wilaya) => {
    const code = codeOf(wilaya)
    return { id: wilaya.id, name: wilaya.name, ...(code !== undefined && { code }), deliverable: wilaya.home || wilaya.pickup }
  })
}

export async function cities(context: Context, query: { stateId?: string }): Promise<City[]> {
  const found = await wilayasNamed(context, query.stateId)
  const groups = await Promise.all(found.map(({ id }) => communesOf(context, id)))
  return groups.flat().map(({ id, name, group, home, pickup }) => ({ id, name, stateId: group, home, pickup }))
}
