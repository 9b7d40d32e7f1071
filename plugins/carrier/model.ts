import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { exact, Maybe, named, oneOf } from '../schema.ts'

/** Decimal amount in the currency's major unit (dinars, not centimes). */
export const Money = T.Number({ minimum: 0, maximum: 1e12 })
const Text = (maxLength: number) => T.String({ maxLength })
const Instant = T.String({ description: 'ISO 8601, with a zone' })

/** Where a parcel is. A carrier maps its words to those that it knows; there are carriers without any one of them. */
export const parcelStatuses = [
  /** Ours alone: no carrier has been asked. */
  'created',
  /** Ours alone: it is being handed over, or nobody knows whether it was. */
  'submitting',
  /** The carrier knows of it, and does not have it yet. */
  'submitted',
  /** The carrier has it, from us. */
  'picked_up',
  /** Between two of its places. */
  'in_transit',
  /** At the place that delivers it, or where it can be collected. */
  'at_center',
  /** With the courier, today. */
  'out_for_delivery',
  /** One attempt came to nothing, and there may be another; each newer one counts. */
  'delivery_failed',
  /** It waits for somebody's word: put off, an address that is unclear, a claim. */
  'on_hold',
  /** The recipient has it. Where the money is, is another matter. */
  'delivered',
  /** Given up, and on its way back to us. */
  'returning',
  /** We have it again. */
  'returned',
  /** Taken back before the carrier had it; nothing comes. */
  'cancelled',
  /** The carrier says that it is gone, or destroyed. */
  'lost',
] as const
export type ParcelStatus = (typeof parcelStatuses)[number]

export const cashStatuses = ['none', 'collected', 'payout_ready', 'paid_out', 'payout_confirmed', 'payout_cancelled'] as const
/** Where the collected money is. Delivery and cash are two axes: neither is read off the other. */
export type CashStatus = (typeof cashStatuses)[number]

export const deliveryTypes = ['home', 'pickup', 'return_point'] as const
export type DeliveryType = (typeof deliveryTypes)[number]

export const DeliveryTypeSchema = oneOf(deliveryTypes)
export const CashStatusSchema = oneOf(cashStatuses)

export const statusFlags = ['ready_for_pickup', 'abandoned', 'damaged'] as const

/** What a raw status says: on the delivery axis, on the cash axis, or on both. Neither: it is known, and changes nothing. */
export interface Meaning {
  readonly status?: ParcelStatus
  readonly cash?: CashStatus
  readonly flag?: (typeof statusFlags)[number]
}

/**
 * A parcel as the core hands it to a carrier. `destination` is already resolved to our catalogue where it could be, and its `cityName`
 * is the carrier's own word where it lists its cities and the commune is known.
 */
export const Shipment = named(
  'Shipment',
  exact({
    /**
     * Ours, unique in the project, and never used for another parcel: 1 to 64 characters, no control characters. What is made here is short
     * and of capitals, digits and `-`; people may give their own. Where it does not fit the carrier's field, refuse: one that is cut finds nothing.
     */
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
    /** To collect at the door, in full; 0 for what is paid. */
    codAmount: Money,
    /** As much as is collected unless somebody said. */
    declaredValue: Money,
    /** 0: nobody said, and a setting of the connection has to (`usualSize`). */
    weightKg: T.Number({ minimum: 0 }),
    /** All three, or none. */
    dimensions: Maybe(exact({ lengthCm: T.Number(), widthCm: T.Number(), heightCm: T.Number() })),
    contents: Text(1000),
    notes: Text(1000),
    /** An exchange: what the courier brings back from the door when he hands this over, in words. Only where `exchanges` says so. */
    takesBack: Maybe(Text(500)),
  }),
)
export type Shipment = Static<typeof Shipment>

export const Warning = named('Warning', exact({ code: T.String(), message: T.String() }))
export type Warning = Static<typeof Warning>

/** The carrier took it. */
export const Sent = named(
  'Sent',
  exact({
    trackingId: T.String({ minLength: 1, maxLength: 120 }),
    labelUrl: Maybe(T.String()),
    /** The carrier's own identifiers, kept beside the parcel for later calls. */
    carrierData: Maybe(T.Record(T.String(), T.Unknown())),
    warnings: Maybe(T.Array(Warning)),
  }),
)
export type Sent = Static<typeof Sent>

/** One row of a bulk answer: by our reference, taken or refused. A reference that is missing has an unknown outcome. */
export const SentRow = named(
  'SentRow',
  exact({
    reference: T.String(),
    sent: Maybe(Sent),
    refused: Maybe(exact({ code: T.String(), message: T.String() })),
  }),
)
export type SentRow = Static<typeof SentRow>

/** News of one parcel. At least one of `carrierStatus` and `cash` is there. */
export const StatusReport = named(
  'StatusReport',
  exact({
    trackingId: Maybe(T.String()),
    reference: Maybe(T.String()),
    /** The carrier's raw words; translated by the adapter's `statuses` table, never by its code. */
    carrierStatus: Maybe(T.String()),
    reason: Maybe(T.String()),
    /** When it happened at the carrier: reports are ordered by it, not by arrival. */
    at: Instant,
    /**
     * The carrier's own id, where it has one. One id may cover several events: what has the same parcel, id, raw status, time and money is one
     * event told twice, and whatever differs in any of these is another. Nothing is left out for having an id that was seen.
     */
    eventId: Maybe(T.String()),
    cash: Maybe(exact({ status: CashStatusSchema, amount: Maybe(Money), fee: Maybe(Money), payoutId: Maybe(T.String()) })),
  }),
)
export type StatusReport = Static<typeof StatusReport>

/** A parcel as the carrier sees it, newest status last in `history`. */
export const CarrierParcel = named(
  'CarrierParcel',
  exact({
    trackingId: T.String(),
    reference: Maybe(T.String()),
    carrierStatus: T.String(),
    at: Instant,
    /** Left out where the carrier does not show it. */
    codAmount: Maybe(Money),
    deliveryFee: Maybe(Money),
    labelUrl: Maybe(T.String()),
    stateName: Maybe(T.String()),
    cityName: Maybe(T.String()),
    cash: StatusReport.properties.cash,
    history: Maybe(T.Array(StatusReport)),
  }),
)
export type CarrierParcel = Static<typeof CarrierParcel>

export const State = named('CarrierState', exact({ id: T.String(), name: T.String(), code: Maybe(T.String()), deliverable: T.Boolean() }))
export type State = Static<typeof State>

export const City = named(
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
export type City = Static<typeof City>

/** A place where a recipient collects a parcel. `id` is what `pickupId` of a shipment names. */
export const Center = named(
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
export type Center = Static<typeof Center>

/** Delivery fee to one state, or to one city of it where fees differ by city. */
export const Fee = named(
  'CarrierFee',
  exact({
    stateCode: T.String(),
    cityName: Maybe(T.String()),
    home: T.Union([Money, T.Null()]),
    pickup: T.Union([Money, T.Null()]),
    returnFee: Maybe(Money),
  }),
)
export type Fee = Static<typeof Fee>

/** One way to send one parcel, priced. */
export const Rate = named(
  'CarrierRate',
  exact({
    service: T.String(),
    deliveryType: DeliveryTypeSchema,
    price: Money,
    currency: T.String(),
    billableKg: Maybe(T.Number()),
  }),
)
export type Rate = Static<typeof Rate>

/** What the carrier charges beside delivery: a percentage of `of`, or a fixed amount. */
export const ServiceFee = named(
  'CarrierServiceFee',
  exact({
    service: T.String(),
    percent: Maybe(T.Number()),
    amount: Maybe(Money),
    of: Maybe(T.String()),
  }),
)
export type ServiceFee = Static<typeof ServiceFee>

export const StockProduct = named(
  'CarrierStockProduct',
  exact({ id: T.String(), sku: Maybe(T.String()), name: T.String(), quantity: T.Number() }),
)
export type StockProduct = Static<typeof StockProduct>

/** What arrives; below zero where more is kept than was collected, as for a parcel that came back. */
const Net = T.Number({ minimum: -1e12, maximum: 1e12 })

/**
 * A parcel that money was collected for: `amount` in full (gross), `fee` as far as it is taken off that, `net` what arrives for it. What
 * the carrier does not tell is left out and never worked out here; `amount` or `net` is there. Told all three, `amount - net` is the fee.
 */
export const CashLine = named(
  'CashLine',
  exact({
    trackingId: T.String(),
    reference: Maybe(T.String()),
    amount: Maybe(Money),
    fee: Maybe(Money),
    net: Maybe(Net),
    status: CashStatusSchema,
  }),
)
export type CashLine = Static<typeof CashLine>

/** A payout, by its total: `amount` is what was collected (gross), `net` what arrives; one of them is there. */
export const CashBatch = named(
  'CashBatch',
  exact({
    id: T.String(),
    status: CashStatusSchema,
    amount: Maybe(Money),
    net: Maybe(Net),
    parcels: T.Integer({ minimum: 0 }),
    at: Maybe(Instant),
  }),
)
export type CashBatch = Static<typeof CashBatch>

export const CashBatchDetail = named('CashBatchDetail', exact({ ...CashBatch.properties, lines: T.Array(CashLine) }))
export type CashBatchDetail = Static<typeof CashBatchDetail>

/**
 * Bytes as base64, so that they cross a process border as plain data; or an address the carrier serves them at, until `expiresAt`
 * where that is known: on a declared host it is fetched without any credential, to be merged. `trackingId` for the label of one parcel, `trackingIds` for a sheet of several.
 */
export const Label = named(
  'CarrierLabel',
  exact({
    trackingId: Maybe(T.String()),
    trackingIds: Maybe(T.Array(T.String())),
    contentType: T.String(),
    base64: Maybe(T.String()),
    url: Maybe(T.String()),
    expiresAt: Maybe(Instant),
  }),
)
export type Label = Static<typeof Label>

export const Page = <S extends TSchema>(row: S) => exact({ rows: T.Array(row), nextCursor: T.Union([T.String(), T.Null()]) })
export const ParcelPage = Page(CarrierParcel)
