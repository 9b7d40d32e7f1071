import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, namedSchema } from '../schema.ts'
import { DeliveryTypeSchema, Money } from './model.ts'

/** A state (province) that the carrier lists. */
export const State = namedSchema(
  'CarrierState',
  exact({ id: T.String(), name: T.String(), code: Maybe(T.String()), deliverable: T.Boolean() }),
)
/** Type of {@link State}. */
export type State = Static<typeof State>

/** A city that the carrier lists. */
export const City = namedSchema(
  'CarrierCity',
  exact({
    id: T.String(),
    name: T.String(),
    stateId: T.String(),
    home: T.Boolean(),
    pickup: T.Boolean(),
    deliveryDays: Maybe(T.Number()),
  }),
)
/** Type of {@link City}. */
export type City = Static<typeof City>

/** A place where recipients collect parcels. A shipment refers to its `id` as `pickupId`. */
export const Center = namedSchema(
  'CarrierCenter',
  exact({
    id: T.String(),
    name: T.String(),
    stateId: T.String(),
    cityName: T.String(),
    address: T.String(),
    latitude: Maybe(T.Number()),
    longitude: Maybe(T.Number()),
    phone: Maybe(T.String()),
  }),
)
/** Type of {@link Center}. */
export type Center = Static<typeof Center>

/** Delivery fee to a state, or to one city of it if fees differ by city. */
export const Fee = namedSchema(
  'CarrierFee',
  exact({
    stateCode: T.String(),
    cityName: Maybe(T.String()),
    home: T.Union([Money, T.Null()]),
    pickup: T.Union([Money, T.Null()]),
    returnFee: Maybe(Money),
  }),
)
/** Type of {@link Fee}. */
export type Fee = Static<typeof Fee>

/** Price of one service for one parcel. */
export const Rate = namedSchema(
  'CarrierRate',
  exact({
    service: T.String(),
    deliveryType: DeliveryTypeSchema,
    price: Money,
    currency: T.String(),
    billableKg: Maybe(T.Number()),
  }),
)
/** Type of {@link Rate}. */
export type Rate = Static<typeof Rate>

/** Charge of the carrier besides delivery: a percentage of `of`, or a fixed amount. */
export const ServiceFee = namedSchema(
  'CarrierServiceFee',
  exact({
    service: T.String(),
    percent: Maybe(T.Number()),
    amount: Maybe(Money),
    of: Maybe(T.String()),
  }),
)
/** Type of {@link ServiceFee}. */
export type ServiceFee = Static<typeof ServiceFee>
