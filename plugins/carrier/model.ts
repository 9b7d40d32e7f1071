import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { exact, Maybe, namedSchema, oneOf } from '../schema.ts'

/** Decimal amount in the currency's major unit (dinars, not centimes). */
export const Money = T.Number({ minimum: 0, maximum: 1e12 })
const Text = (maxLength: number) => T.String({ maxLength })
/** Moment in a request or a response of an adapter. */
export const Instant = T.String({ description: 'ISO 8601, with a zone' })

/** Statuses of a parcel's delivery. A carrier maps its raw statuses to those that it knows; any of them may be missing at a carrier. */
export const parcelStatuses = [
  /** Internal: not yet sent to a carrier. */
  'created',
  /** Internal: being sent, or the outcome is unknown. */
  'submitting',
  /** The carrier knows the parcel, and does not have it yet. */
  'submitted',
  /** The carrier has received the parcel from us. */
  'picked_up',
  /** Between two places of the carrier. */
  'in_transit',
  /** At the place that delivers it, or where it can be collected. */
  'at_center',
  /** With the courier, for delivery today. */
  'out_for_delivery',
  /** A delivery attempt failed, and another may follow. Each later report counts as a new attempt. */
  'delivery_failed',
  /** Waits for a decision: postponed, unclear address, claim. */
  'on_hold',
  /** The recipient has it. The cash status is separate. */
  'delivered',
  /** The delivery was given up; it is on its way back to us. */
  'returning',
  /** We have received it back. */
  'returned',
  /** Cancelled before the carrier had it; nothing will be delivered. */
  'cancelled',
  /** The carrier reports it as lost or destroyed. */
  'lost',
] as const
/** One of {@link parcelStatuses}. */
export type ParcelStatus = (typeof parcelStatuses)[number]

/** Statuses of the collected cash. */
export const cashStatuses = ['none', 'collected', 'payout_ready', 'paid_out', 'payout_confirmed', 'payout_cancelled'] as const
/** Status of the collected cash. Delivery and cash are independent; neither is derived from the other. */
export type CashStatus = (typeof cashStatuses)[number]

/** Ways of delivery. */
export const deliveryTypes = ['home', 'pickup', 'return_point'] as const
/** One of {@link deliveryTypes}. */
export type DeliveryType = (typeof deliveryTypes)[number]

/** Schema of a delivery type. */
export const DeliveryTypeSchema = oneOf(deliveryTypes)
/** Schema of a cash status. */
export const CashStatusSchema = oneOf(cashStatuses)

/** Flags that a raw status may set. */
export const statusFlags = ['ready_for_pickup', 'abandoned', 'damaged'] as const

/** Meaning of a raw status for the delivery, the cash, or both. An empty meaning is a known status that changes nothing. */
export interface Meaning {
  readonly status?: ParcelStatus
  readonly cash?: CashStatus
  readonly flag?: (typeof statusFlags)[number]
}

/**
 * A parcel as the core gives it to a carrier. `destination` is resolved to our catalogue if possible. `cityName` is the carrier's own name
 * if the carrier lists its cities and the city is known.
 */
export const Shipment = namedSchema(
  'Shipment',
  exact({
    /**
     * Our reference: 1 to 64 characters without control characters, unique in the project, never used for another parcel. Generated ones
     * consist of capitals, digits and `-`; users may give their own. Throw `refused` if it does not fit the carrier's field, since a
     * truncated one cannot be looked up.
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
    /** Full amount to collect at delivery; 0 if it is paid. */
    codAmount: Money,
    /** Declared value; the amount to collect by default. */
    declaredValue: Money,
    /** Kilograms; 0 if unknown. Use a setting of the connection then (`usualSize`). */
    weightKg: T.Number({ minimum: 0 }),
    /** All three, or none. */
    dimensions: Maybe(exact({ lengthCm: T.Number(), widthCm: T.Number(), heightCm: T.Number() })),
    contents: Text(1000),
    notes: Text(1000),
    /** Description of the goods that the courier brings back in an exchange. Only for carriers with `exchanges`. */
    takesBack: Maybe(Text(500)),
  }),
)
/** Type of {@link Shipment}. */
export type Shipment = Static<typeof Shipment>

/** Note for the user about an action that succeeded. */
export const Warning = namedSchema('Warning', exact({ code: T.String(), message: T.String() }))
/** Type of {@link Warning}. */
export type Warning = Static<typeof Warning>

/** A parcel that the carrier accepted. */
export const Sent = namedSchema(
  'Sent',
  exact({
    trackingId: T.String({ minLength: 1, maxLength: 120 }),
    labelUrl: Maybe(T.String()),
    /** The carrier's own identifiers, stored with the parcel for later calls. */
    carrierData: Maybe(T.Record(T.String(), T.Unknown())),
    warnings: Maybe(T.Array(Warning)),
  }),
)
/** Type of {@link Sent}. */
export type Sent = Static<typeof Sent>

/** One row of a batch, by our reference: accepted or refused. A missing reference has an unknown outcome. */
export const SentRow = namedSchema(
  'SentRow',
  exact({
    reference: T.String(),
    sent: Maybe(Sent),
    refused: Maybe(exact({ code: T.String(), message: T.String() })),
  }),
)
/** Type of {@link SentRow}. */
export type SentRow = Static<typeof SentRow>

/** A carrier's report on one parcel. At least one of `carrierStatus` and `cash` is present. */
export const StatusReport = namedSchema(
  'StatusReport',
  exact({
    trackingId: Maybe(T.String()),
    reference: Maybe(T.String()),
    /** Raw status of the carrier. The adapter's `statuses` table translates it, not its code. */
    carrierStatus: Maybe(T.String()),
    reason: Maybe(T.String()),
    /** Time of the event at the carrier. Reports are ordered by it, not by arrival. */
    at: Instant,
    /**
     * The carrier's own id of the event, if it has one. One id may cover several events. Reports with equal parcel, id, raw status, time
     * and money are duplicates; all others are separate events. Never drop a report because its id was seen before.
     */
    eventId: Maybe(T.String()),
    cash: Maybe(exact({ status: CashStatusSchema, amount: Maybe(Money), fee: Maybe(Money), payoutId: Maybe(T.String()) })),
  }),
)
/** Type of {@link StatusReport}. */
export type StatusReport = Static<typeof StatusReport>

/** A parcel as the carrier has it. The latest status is last in `history`. */
export const CarrierParcel = namedSchema(
  'CarrierParcel',
  exact({
    trackingId: T.String(),
    reference: Maybe(T.String()),
    carrierStatus: T.String(),
    at: Instant,
    /** Absent if the carrier does not show it. */
    codAmount: Maybe(Money),
    deliveryFee: Maybe(Money),
    labelUrl: Maybe(T.String()),
    stateName: Maybe(T.String()),
    cityName: Maybe(T.String()),
    cash: StatusReport.properties.cash,
    history: Maybe(T.Array(StatusReport)),
  }),
)
/** Type of {@link CarrierParcel}. */
export type CarrierParcel = Static<typeof CarrierParcel>

/** A product in the carrier's warehouse. */
export const StockProduct = namedSchema(
  'CarrierStockProduct',
  exact({ id: T.String(), sku: Maybe(T.String()), name: T.String(), quantity: T.Number() }),
)
/** Type of {@link StockProduct}. */
export type StockProduct = Static<typeof StockProduct>

/**
 * A label as base64, or as a URL of the carrier that is valid until `expiresAt`, if known. A URL on a declared host is fetched without
 * credentials and merged. `trackingId` is set for the label of one parcel, `trackingIds` for a sheet of several.
 */
export const Label = namedSchema(
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
/** Type of {@link Label}. */
export type Label = Static<typeof Label>

/** Builds the schema of a page of rows. */
export const Page = <S extends TSchema>(row: S) => exact({ rows: T.Array(row), nextCursor: T.Union([T.String(), T.Null()]) })
/** A page of the account's parcels. */
export const ParcelPage = Page(CarrierParcel)
