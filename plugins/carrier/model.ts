import { type Static, Type as T, type TSchema } from '@sinclair/typebox'

/** A plain object that refuses what it does not know. */
const exact = <P extends Record<string, TSchema>>(properties: P) => T.Object(properties, { additionalProperties: false })
const Maybe = <S extends TSchema>(schema: S) => T.Optional(schema)
/** Decimal amount in the currency's major unit (dinars, not centimes). */
const Money = T.Number({ minimum: 0, maximum: 1e12 })
const Text = (maxLength: number) => T.String({ maxLength })
const Instant = T.String({ description: 'ISO 8601, with a zone' })

export const parcelStatuses = [
  'created',
  'submitting',
  'submitted',
  'picked_up',
  'in_transit',
  'at_center',
  'out_for_delivery',
  'delivery_failed',
  'on_hold',
  'delivered',
  'returning',
  'returned',
  'cancelled',
  'lost',
] as const
export type ParcelStatus = (typeof parcelStatuses)[number]

export const cashStatuses = ['none', 'collected', 'payout_ready', 'paid_out', 'payout_confirmed', 'payout_cancelled'] as const
/** Where the collected money is. Delivery and cash are two axes: neither is read off the other. */
export type CashStatus = (typeof cashStatuses)[number]

export const deliveryTypes = ['home', 'pickup', 'return_point'] as const
export type DeliveryType = (typeof deliveryTypes)[number]

const oneOf = <const V extends readonly string[]>(values: V) => T.Unsafe<V[number]>(T.Union(values.map((value) => T.Literal(value))))
export const DeliveryTypeSchema = oneOf(deliveryTypes)
export const CashStatusSchema = oneOf(cashStatuses)

export const statusFlags = ['ready_for_pickup', 'abandoned', 'damaged'] as const

/** What a raw status says: on the delivery axis, on the cash axis, or on both. Neither: it is known, and changes nothing. */
export interface Meaning {
  readonly status?: ParcelStatus
  readonly cash?: CashStatus
  readonly flag?: (typeof statusFlags)[number]
}

/** A parcel as the core hands it to a carrier. `destination` is already resolved to our catalogue where it could be. */
export const Shipment = exact({
  reference: Text(64),
  recipient: exact({ name: Text(200), phone: Text(32), phoneAlt: Maybe(Text(32)) }),
  destination: exact({
    country: Text(2),
    stateCode: Text(16),
    stateName: Text(120),
    cityCode: Maybe(Text(16)),
    cityName: Text(120),
    address: Text(500),
    deliveryType: DeliveryTypeSchema,
    pickupId: Maybe(Text(64)),
  }),
  codAmount: Money,
  declaredValue: Money,
  weightKg: T.Number({ minimum: 0 }),
  dimensions: Maybe(exact({ lengthCm: T.Number(), widthCm: T.Number(), heightCm: T.Number() })),
  contents: Text(1000),
  notes: Text(1000),
})
export type Shipment = Static<typeof Shipment>

export const Warning = exact({ code: T.String(), message: T.String() })
export type Warning = Static<typeof Warning>

/** The carrier took it. */
export const Sent = exact({
  trackingId: T.String({ minLength: 1, maxLength: 120 }),
  labelUrl: Maybe(T.String()),
  /** The carrier's own identifiers, kept beside the parcel for later calls. */
  carrierData: Maybe(T.Record(T.String(), T.Unknown())),
  warnings: Maybe(T.Array(Warning)),
})
export type Sent = Static<typeof Sent>

/** One row of a bulk answer: by our reference, taken or refused. A reference that is missing has an unknown outcome. */
export const SentRow = exact({
  reference: T.String(),
  sent: Maybe(Sent),
  refused: Maybe(exact({ code: T.String(), message: T.String() })),
})
export type SentRow = Static<typeof SentRow>

/** News of one parcel. At least one of `carrierStatus` and `cash` is there. */
export const StatusReport = exact({
  trackingId: Maybe(T.String()),
  reference: Maybe(T.String()),
  /** The carrier's raw words; translated by the adapter's `statuses` table, never by its code. */
  carrierStatus: Maybe(T.String()),
  reason: Maybe(T.String()),
  /** When it happened at the carrier: reports are ordered by it, not by arrival. */
  at: Instant,
  /** The carrier's own id of this event, where it has one: the same one twice counts once. */
  eventId: Maybe(T.String()),
  cash: Maybe(exact({ status: CashStatusSchema, amount: Maybe(Money), fee: Maybe(Money), payoutId: Maybe(T.String()) })),
})
export type StatusReport = Static<typeof StatusReport>

/** A parcel as the carrier sees it, newest status last in `history`. */
export const CarrierParcel = exact({
  trackingId: T.String(),
  reference: Maybe(T.String()),
  carrierStatus: T.String(),
  at: Instant,
  codAmount: Maybe(Money),
  deliveryFee: Maybe(Money),
  labelUrl: Maybe(T.String()),
  stateName: Maybe(T.String()),
  cityName: Maybe(T.String()),
  cash: StatusReport.properties.cash,
  history: Maybe(T.Array(StatusReport)),
})
export type CarrierParcel = Static<typeof CarrierParcel>

export const State = exact({ id: T.String(), name: T.String(), code: Maybe(T.String()), deliverable: T.Boolean() })
export type State = Static<typeof State>

export const City = exact({
  id: T.String(),
  name: T.String(),
  stateId: T.String(),
  home: T.Boolean(),
  pickup: T.Boolean(),
  deliveryDays: Maybe(T.Number()),
})
export type City = Static<typeof City>

/** A place where a recipient collects a parcel. `id` is what `pickupId` of a shipment names. */
export const Center = exact({
  id: T.String(),
  name: T.String(),
  stateId: T.String(),
  cityName: T.String(),
  address: T.String(),
  latitude: Maybe(T.Number()),
  longitude: Maybe(T.Number()),
  phone: Maybe(T.String()),
})
export type Center = Static<typeof Center>

/** Delivery fee to one state, or to one city of it where fees differ by city. */
export const Fee = exact({
  stateCode: T.String(),
  cityName: Maybe(T.String()),
  home: T.Union([Money, T.Null()]),
  pickup: T.Union([Money, T.Null()]),
  returnFee: Maybe(Money),
})
export type Fee = Static<typeof Fee>

/** One way to send one parcel, priced. */
export const Rate = exact({
  service: T.String(),
  deliveryType: DeliveryTypeSchema,
  price: Money,
  currency: T.String(),
  billableKg: Maybe(T.Number()),
})
export type Rate = Static<typeof Rate>

/** What the carrier charges beside delivery: a percentage of `of`, or a fixed amount. */
export const ServiceFee = exact({
  service: T.String(),
  percent: Maybe(T.Number()),
  amount: Maybe(Money),
  of: Maybe(T.String()),
})
export type ServiceFee = Static<typeof ServiceFee>

export const StockProduct = exact({ id: T.String(), sku: Maybe(T.String()), name: T.String(), quantity: T.Number() })
export type StockProduct = Static<typeof StockProduct>

/** A parcel in a payout: what was collected for us, what the carrier keeps. */
export const CashLine = exact({
  trackingId: T.String(),
  reference: Maybe(T.String()),
  amount: Money,
  fee: Maybe(Money),
  status: CashStatusSchema,
})
export type CashLine = Static<typeof CashLine>

export const CashBatch = exact({
  id: T.String(),
  status: CashStatusSchema,
  amount: Money,
  parcels: T.Integer({ minimum: 0 }),
  at: Maybe(Instant),
})
export type CashBatch = Static<typeof CashBatch>

export const CashBatchDetail = exact({ ...CashBatch.properties, lines: T.Array(CashLine) })
export type CashBatchDetail = Static<typeof CashBatchDetail>

/**
 * Bytes as base64, so that they cross a process border as plain data; or an address the carrier serves them at, until `expiresAt`
 * where that is known: on a declared host it is fetched without any credential, to be merged. `trackingId` for the label of one parcel, `trackingIds` for a sheet of several.
 */
export const Label = exact({
  trackingId: Maybe(T.String()),
  trackingIds: Maybe(T.Array(T.String())),
  contentType: T.String(),
  base64: Maybe(T.String()),
  url: Maybe(T.String()),
  expiresAt: Maybe(Instant),
})
export type Label = Static<typeof Label>

export const Page = <S extends TSchema>(row: S) => exact({ rows: T.Array(row), nextCursor: T.Union([T.String(), T.Null()]) })
export const ParcelPage = Page(CarrierParcel)
