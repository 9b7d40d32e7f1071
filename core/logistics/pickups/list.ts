import type { Context } from '../../context.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { assertKnownState } from '../../platform/geo/catalogue/state-codes.ts'
import { findState, indexedCatalogueOf } from '../../platform/geo/resolve/places.ts'
import { findPoint, kilometresBetween } from '../../platform/geo/shapes/distance.ts'
import type { Point } from '../../platform/geo/shapes/earth.ts'
import { findStoreOfProject } from '../../shop/stores/stores.queries.ts'
import { pickupErrors } from './pickups.errors.ts'
import type { Pickup, PickupSource, PickupsQuery } from './pickups.model.ts'
import { listPickups, type PickupRow, type PickupSourceRow } from './pickups.queries.ts'
import { keysOf, PICKUPS_FRESH_MS, refreshIfStale } from './refresh-if-stale.ts'

type ProjectRef = { readonly id: string }

const CONNECTIONS_MAX = 100
/** Maximum number of pick-up points of all carriers of a project. */
const PICKUPS_MAX = 20_000

/** Reads the pick-up points of the carriers that a project has enabled, refreshed if possible within a moment. */
async function readPickups(context: Context, project: ProjectRef, carrier: string | undefined) {
  const connections = (await listCarriers(context, project)).filter(({ row }) => carrier === undefined || row.key === carrier)
  const sources = await refreshIfStale(context, connections)
  const byId = new Map(connections.map((connection) => [connection.row.id, connection]))
  const rows = await listPickups(context.sql, keysOf(connections), PICKUPS_MAX)
  return {
    rows: rows.flatMap((row): [PickupRow, CarrierConnection][] => {
      const connection = byId.get(row.connectionId)
      return connection ? [[row, connection]] : []
    }),
    carriers: connections.map((connection) => presentSource(connection, sources.get(connection.row.id))),
  }
}

/** Lists the connections of the project's store, and those of the platform if the carrier allows platform accounts. */
async function listCarriers(context: Context, project: ProjectRef): Promise<CarrierConnection[]> {
  const store = await findStoreOfProject(context.sql, project.id)
  const [own, platform] = await Promise.all([
    store ? listConnections(context.sql, store.id, null, CONNECTIONS_MAX) : [],
    listConnections(context.sql, null, null, CONNECTIONS_MAX),
  ])
  return [...own, ...platform].flatMap((row): CarrierConnection[] => {
    const mounted = context.plugins.find('carrier', row.key)
    if (!row.enabled || !mounted?.carrier.centers) return []
    // Other connections of the platform are OAuth clients for stores, not accounts that send parcels.
    if (row.owner === 'platform' && !mounted.kind.owners?.includes('platform')) return []
    return [openConnection(context, 'carrier', row)]
  })
}

/** Lists a project's pick-up points by country and state, nearest first when a place is given. Throws `invalid_request`, `not_found`. */
export async function listProjectPickups(context: Context, project: ProjectRef, query: PickupsQuery) {
  const { country, state, carrier } = query
  if (state !== undefined) await assertKnownState(context.sql, country ?? null, state, ['state'])
  const origin = originOf(query, country ?? (await context.defaultCountries.of(project)))
  const { rows, carriers } = await readPickups(context, project, carrier)
  const wanted = rows.filter(([row]) => isInRegion(row, country, state))
  return { ...pageRows(sortByDistance(wanted, origin), query), carriers }
}

/** Lists pick-up points with a known position, nearest first. */
export async function listNearbyPickups(context: Context, project: ProjectRef, origin: Point, carrier: string | undefined, limit: number) {
  const { rows } = await readPickups(context, project, carrier)
  return sortByDistance(rows, origin)
    .filter(({ distanceKm }) => distanceKm !== null)
    .slice(0, limit)
}

function originOf({ lat, lon, city, state }: PickupsQuery, country: string): Point | undefined {
  if ((lat === undefined) !== (lon === undefined))
    throw pickupErrors.coordinatesIncomplete({ field: lat === undefined ? ['lat'] : ['lon'] })
  if (lat !== undefined && lon !== undefined) return { latitude: lat, longitude: lon }
  if (city === undefined) return undefined
  const point = findPoint({ country, stateCode: state ?? '', cityCode: city })
  const catalogue = findCatalogue(country)
  if (!point || !catalogue || !indexedCatalogueOf(catalogue).cityOf(city)) throw notFound(`The city ${city}`)
  return point
}

function isInRegion(row: PickupRow, country: string | undefined, state: string | undefined): boolean {
  if (country !== undefined && row.countryCode !== country.toUpperCase()) return false
  if (state === undefined) return true
  const catalogue = findCatalogue(row.countryCode)
  const wanted = catalogue && findState(indexedCatalogueOf(catalogue), state)
  return row.stateCode === (wanted?.carrierCode ?? state)
}

function sortByDistance(rows: readonly [PickupRow, CarrierConnection][], origin: Point | undefined): Pickup[] {
  const presented = rows.map(([row, connection]) => presentPickup(row, connection, origin))
  return origin ? presented.sort((a, b) => (a.distanceKm ?? Infinity) - (b.distanceKm ?? Infinity)) : presented
}

function presentPickup(row: PickupRow, { row: connection }: CarrierConnection, origin: Point | undefined): Pickup {
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

function presentSource({ row }: CarrierConnection, source: PickupSourceRow | undefined): PickupSource {
  const refreshedAt = source?.refreshedAt ?? null
  return {
    carrier: row.key,
    carrierAccountId: row.id,
    refreshedAt,
    isFresh: refreshedAt !== null && Date.now() - Date.parse(refreshedAt) <= PICKUPS_FRESH_MS,
    message: source?.failure ?? null,
  }
}
