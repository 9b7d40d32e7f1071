import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Id, Nullable, named, oneOf, pageQuery, Text, Timestamp } from '../../http/schema.ts'
import { positionQuery } from '../../platform/geo/geo.model.ts'

const Country = T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166; all of them unless said' }))
const PlaceCode = T.String({ pattern: '^[A-Za-z0-9-]{1,16}$' })
const Carrier = T.Optional(Text(60, 1))

export const Pickup = named(
  'Pickup',
  T.Object({
    id: T.String({ description: 'what a destination names as its pickupId, at this carrier' }),
    carrier: T.String(),
    carrierAccountId: Id,
    name: T.String(),
    address: T.String(),
    phone: Nullable(T.String()),
    country: T.String(),
    stateCode: Nullable(T.String({ description: 'of our catalogue; null where the carrier names none of ours for certain' })),
    stateName: Nullable(T.String()),
    cityCode: Nullable(T.String()),
    cityName: T.String({ description: 'as we call it, or else as the carrier does' }),
    latitude: Nullable(T.Number()),
    longitude: Nullable(T.Number()),
    isApproximate: T.Boolean({ description: 'whether that is where its city or state lies, since the carrier says no more' }),
    distanceKm: Nullable(T.Number({ description: 'great-circle, from the place that was asked about' })),
  }),
)
export type Pickup = Static<typeof Pickup>

export const PickupSource = named(
  'PickupSource',
  T.Object({
    carrier: T.String(),
    carrierAccountId: Id,
    refreshedAt: Nullable({ ...Timestamp, description: 'when the carrier told them; null where it never did' }),
    isFresh: T.Boolean({ description: 'whether that was within the hour' }),
    message: Nullable(T.String({ description: 'why they could not be asked for last time' })),
  }),
)
export type PickupSource = Static<typeof PickupSource>

const { lat, lon } = positionQuery

export const PickupsQuery = T.Object({
  country: Country,
  state: T.Optional({ ...PlaceCode, description: 'one state only' }),
  city: T.Optional({ ...PlaceCode, description: 'nearest to this city first; those of others follow' }),
  carrier: Carrier,
  lat: T.Optional(lat),
  lon: T.Optional({ ...lon, description: 'with lat: nearest first' }),
  ...pageQuery,
})
export type PickupsQuery = Static<typeof PickupsQuery>

export const PickupList = T.Object({
  data: T.Array(Pickup),
  nextCursor: Nullable(T.String()),
  carriers: T.Array(PickupSource, { description: 'whom they come from, and how fresh they are' }),
})

export const NearbyQuery = T.Object({
  ...positionQuery,
  kind: T.Optional(oneOf(['city', 'pickup'], { default: 'city' })),
  carrier: Carrier,
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})
