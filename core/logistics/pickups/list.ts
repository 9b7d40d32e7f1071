import type { Context } from '../../context.ts'
import { invalidValue, notFound } from '../../http/errors/errors.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { findCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { findState, indexedCatalogueOf } from '../../platform/geo/resolve/places.ts'
import { findPoint, kilometresBetween } from '../../platform/geo/shapes/distance.ts'
import type { Point } from '../../platform/geo/shapes/earth.ts'
import { findStoreOfProject } from '../../shop/stores/stores.queries.ts'
import { FRESH_MS, freshen } from './freshen.ts'
import type { Pickup, PickupSource, PickupsQuery } from './pickups.model.ts'
import { listPickups, type PickupRow, type SourceRow } from './pickups.queries.ts'

type Asker = { readonly id: string }

const CONNECTIONS_MAX = 100
/** Of all carriers of a project together. */
const PICKUPS_MAX = 20_000

/** The pick-up points of the carriers that a project has switched on, as fresh as can be within a moment. */
async function pickupsOf(context: Context, project: Asker, carrier: string | undefined) {
  const connections = (await carriersOf(context, project)).filter(({ row }) => carrier === undefined || row.key === carrier)
  const sources = await freshen(context, connections)
  const byId = new Map(connections.map((connection) => [connection.row.id, connection]))
  const rows = await listPickups(context.sql, [...byId.keys()], PICKUPS_MAX)
  return {
    rows: rows.flatMap((row): [PickupRow, CarrierConnection][] => {
      const connection = byId.get(row.connectionId)
      return connection ? [[row, connection]] : []
    }),
    carriers: connections.map((connection) => presentSource(connection, sources.get(connection.row.id))),
  }
}

/** Of the project's store, and of the platform where a carrier takes accounts of the platform itself. */
async function carriersOf(context: Context, project: Asker): Promise<CarrierConnection[]> {
  const store = await findStoreOfProject(context.sql, project.id)
  const [own, platform] = await Promise.all([
    store ? listConnections(context.sql, store.id, null, CONNECTIONS_MAX) : [],
    listConnections(context.sql, null, null, CONNECTIONS_MAX),
  ])
  return [...own, ...platform].flatMap((row): CarrierConnection[] => {
    const mounted = context.plugins.find('carrier', row.key)
    if (!row.enabled || !mounted?.carrier.centers) return []
    // Otherwise the platform's is the client that stores sign in with, and no account that sends parcels.
    if (row.owner === 'platform' && !mounted.kind.owners?.includes('platform')) return []
    return [openConnection(context, 'carrier', row)]
  })
}

export async function listPickupsOf(context: Context, project: Asker, query: PickupsQuery) {
  const { country, state, carrier } = query
  const origin = originOf(query, country ?? (await context.homes.of(project)))
  const { rows, carriers } = await pickupsOf(context, project, carrier)
  const wanted = rows.filter(([row]) => isIn(row, country, state))
  return { ...pageRows(nearestFirst(wanted, origin), query), carriers }
}

/** Those of which it is known where they are, nearest first. */
export async function nearbyPickups(context: Context, project: Asker, origin: Point, carrier: string | undefined, limit: number) {
  const { rows } = await pickupsOf(context, project, carrier)
  return nearestFirst(rows, origin)
    .filter(({ distanceKm }) => distanceKm !== null)
    .slice(0, limit)
}

function originOf({ lat, lon, city, state }: PickupsQuery, country: string): Point | undefined {
  if ((lat === undefined) !== (lon === undefined))
    throw invalidValue(lat === undefined ? '/query/lat' : '/query/lon', 'Say both, or neither.')
  if (lat !== undefined && lon !== undefined) return { latitude: lat, longitude: lon }
  if (city === undefined) return undefined
  const point = findPoint({ country, stateCode: state ?? '', cityCode: city })
  const catalogue = findCatalogue(country)
  if (!point || !catalogue || !indexedCatalogueOf(catalogue).cityOf(city)) throw notFound(`The city ${city}`)
  return point
}

function isIn(row: PickupRow, country: string | undefined, state: string | undefined): boolean {
  if (country !== undefined && row.countryCode !== country.toUpperCase()) return false
  if (state === undefined) return true
  const catalogue = findCatalogue(row.countryCode)
  const wanted = catalogue && findState(indexedCatalogueOf(catalogue), state)
  return row.stateCode === (wanted?.carrierCode ?? state)
}

function nearestFirst(rows: readonly [PickupRow, CarrierConnection][], origin: Point | undefined): Pickup[] {
  const presented = rows.map(([row, connection]) => present(row, connection, origin))
  return origin ? presented.sort((a, b) => (a.distanceKm ?? Infinity) - (b.distanceKm ?? Infinity)) : presented
}

function present(row: PickupRow, { row: connection }: CarrierConnection, origin: Point | undefined): Pickup {
  const { centerId, connectionId, countryCode: country, latitude, longitude, stateCode, cityCode, ...named } = row
  const own = latitude === null || longitude === null ? undefined : { latitude, longitude }
  const place = own ?? (stateCode === null ? undefined : findPoint({ country, stateCode, cityCode }))
  return {
    ...named,
    id: centerId,
    carrier: connection.key,
    carrierAccountId: connectionId,
    country,
    stateCode,
    cityCode,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    isApproximate: place !== undefined && own === undefined,
    distanceKm: origin && place ? kilometresBetween(origin, place) : null,
  }
}

function presentSource({ row }: CarrierConnection, source: SourceRow | undefined): PickupSource {
  const refreshedAt = source?.refreshedAt ?? null
  return {
    carrier: row.key,
    carrierAccountId: row.id,
    refreshedAt,
    isFresh: refreshedAt !== null && Date.now() - Date.parse(refreshedAt) <= FRESH_MS,
    message: source?.failure ?? null,
  }
}
