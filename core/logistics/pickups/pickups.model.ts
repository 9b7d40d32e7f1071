import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Id, Nullable, named, oneOf, pageQuery, Text, Timestamp } from '../../http/schema.ts'
import { positionQuery } from '../../platform/geo/geo.model.ts'

const Country = T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166 code; all countries by default' }))
const PlaceCode = T.String({ pattern: '^[A-Za-z0-9-]{1,16}$' })
const Carrier = T.Optional(Text(60, 1))

/** Pick-up point as the API shows it. */
export const Pickup = named(
  'Pickup',
  T.Object({
    id: T.String({ description: '`pickupId` of a destination, at this carrier' }),
    carrier: T.String(),
    carrierAccountId: Id,
    name: T.String(),
    address: T.String(),
    phone: Nullable(T.String()),
    country: T.String(),
    stateCode: Nullable(T.String({ description: 'code of our catalogue; null when no state matches with certainty' })),
    stateName: Nullable(T.String()),
    cityCode: Nullable(T.String()),
    cityName: T.String({ description: 'name in our catalogue, else the name that the carrier uses' }),
    latitude: Nullable(T.Number()),
    longitude: Nullable(T.Number()),
    isApproximate: T.Boolean({ description: 'true when this is the position of its city or state, because the carrier gives none' }),
    distanceKm: Nullable(T.Number({ description: 'great-circle distance from the requested place' })),
  }),
)
/** Type of {@link Pickup}. */
export type Pickup = Static<typeof Pickup>

/** Carrier connection with the time of its last refresh. */
export const PickupSource = named(
  'PickupSource',
  T.Object({
    carrier: T.String(),
    carrierAccountId: Id,
    refreshedAt: Nullable({ ...Timestamp, description: 'time of the last successful refresh; null before the first one' }),
    isFresh: T.Boolean({ description: 'true when that was within the last hour' }),
    message: Nullable(T.String({ description: 'error of the last refresh' })),
  }),
)
/** Type of {@link PickupSource}. */
export type PickupSource = Static<typeof PickupSource>

const { lat, lon } = positionQuery

/** Query of the list of pick-up points. */
export const PickupsQuery = T.Object({
  country: Country,
  state: T.Optional({ ...PlaceCode, description: 'one state only' }),
  city: T.Optional({ ...PlaceCode, description: 'nearest to this city first; those of others follow' }),
  carrier: Carrier,
  lat: T.Optional(lat),
  lon: T.Optional({ ...lon, description: 'with lat: nearest first' }),
  ...pageQuery,
})
/** Type of {@link PickupsQuery}. */
export type PickupsQuery = Static<typeof PickupsQuery>

/** List of pick-up points with their carriers. */
export const PickupList = T.Object({
  data: T.Array(Pickup),
  nextCursor: Nullable(T.String()),
  carriers: T.Array(PickupSource, { description: 'carriers of the pick-up points, and the age of their data' }),
})

/** Query for places near a point. */
export const NearbyQuery = T.Object({
  ...positionQuery,
  kind: T.Optional(oneOf(['city', 'pickup'], { default: 'city' })),
  carrier: Carrier,
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})
