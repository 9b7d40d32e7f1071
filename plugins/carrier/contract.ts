import type { Adapter, AdapterContext, Webhook as AdapterWebhook, Awaitable } from '../adapter.ts'
import type { Fields } from '../fields.ts'
import type { CashBatch, CashBatchDetail, CashLine } from './cash.model.ts'
import type {
  CarrierParcel,
  CashStatus,
  DeliveryType,
  Label,
  ParcelStatus,
  Sent,
  SentRow,
  Shipment,
  StatusReport,
  StockProduct,
} from './model.ts'
import type { Center, City, Fee, Rate, ServiceFee, State } from './places.model.ts'

export {
  type AdapterContext,
  AdapterError,
  /** Earlier name of {@link AdapterError}. */
  AdapterError as CarrierError,
  type AdapterStorage,
  type FetchInit,
  type Field,
  type Fields,
  type InboundRequest,
  type RateWindow,
  type Values,
} from '../adapter.ts'
export type { CashBatch, CashBatchDetail, CashLine } from './cash.model.ts'
export type * from './model.ts'
export type * from './places.model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 2

/**
 * Context of a carrier's functions. Its signal is aborted at the deadline:
 * - `settleSeconds` for `send` and `sendMany`, at least 2 s
 * - 10 s for `webhook.receive`, 8 s for `testConnection`, 15 s for `createToken`
 * - 60 s for `states` and `cities` together in the background
 * - 30 s for all others
 */
export type CarrierContext<C extends Fields = Fields, S extends Fields = Fields> = AdapterContext<C, S>

/** Meaning of a raw status. A bare status concerns only the delivery; `null` means that the status is known and changes nothing. */
export type StatusRule =
  | ParcelStatus
  | null
  | { readonly status?: ParcelStatus; readonly cash?: CashStatus; readonly flag?: 'ready_for_pickup' | 'abandoned' | 'damaged' }

/** Receives a carrier's callbacks. */
export type Webhook<C extends Fields, S extends Fields> = AdapterWebhook<C, S, StatusReport>

/**
 * Protection of a carrier against creating one parcel twice:
 * - `idempotencyKey`: repeating `send` with the same `reference` creates nothing new.
 * - `findByReference`: no such key, but a parcel can be looked up by our `reference`.
 * - `unsafe`: neither; a person decides when an outcome is unknown.
 */
export type ExactlyOnce = 'idempotencyKey' | 'findByReference' | 'unsafe'

/** Request for the price of one parcel. */
export interface Quote {
  readonly stateCode: string
  readonly cityName?: string
  readonly deliveryType?: DeliveryType
  readonly weightKg?: number
  readonly dimensions?: NonNullable<Shipment['dimensions']>
  readonly declaredValue?: number
}

/** Fields of a parcel that may change after the carrier has it. */
export const changeFields = [
  'recipient',
  'destination',
  'codAmount',
  'declaredValue',
  'weightKg',
  'dimensions',
  'contents',
  'notes',
] as const satisfies readonly (keyof Shipment)[]

/** Change of a parcel: complete new values of the changed fields. */
export type Change = Partial<Pick<Shipment, (typeof changeFields)[number]>>

/**
 * A carrier's adapter. A missing member means that the carrier does not offer it, and the routes that need it answer 404. Arguments and
 * results are plain data. Functions translate between our words and the carrier's, and make no other decisions.
 */
export interface Carrier<C extends Fields = Fields, S extends Fields = Fields> extends Adapter<C, S> {
  readonly kind: 'carrier'
  readonly contract: typeof CONTRACT
  /** ISO 3166 alpha-2 codes of the countries where it delivers. */
  readonly countries: readonly string[]
  readonly currency: string
  readonly exactlyOnce: ExactlyOnce
  /** Deadline of `send` in seconds. A look-up that finds nothing is trusted only after the same time again. */
  readonly settleSeconds: number
  readonly deliveryTypes: readonly DeliveryType[]
  /** True if it offers exchanges: its courier brings back what `takesBack` of a shipment describes. Only such carriers receive it. */
  readonly exchanges?: boolean
  /** Maximum amount to collect for one parcel. */
  readonly codMax?: number
  /** Statuses in which the carrier accepts an edit, and below those in which it accepts a cancellation. */
  readonly editableIn: readonly ParcelStatus[]
  /** Fields that `edit` accepts; all by default. A change of other fields is refused with their names, before `edit` is called. */
  readonly editable?: readonly (keyof Change)[]
  readonly cancellableIn: readonly ParcelStatus[]
  /** Meanings by raw status. The look-up ignores case, accents, spaces, `_` and `-`. */
  readonly statuses: Readonly<Record<string, StatusRule>>

  /** Tests the credentials; throws `unauthorized` if they are invalid. Changes nothing. */
  testConnection(context: CarrierContext<C, S>): Awaitable<{ account?: string }>
  /**
   * Exchanges a user's login for a token, returned as the credentials that hold it (`{ apiToken }`). It runs without a connection: the
   * context has settings but no credentials.
   */
  createToken?(
    context: CarrierContext<C, S>,
    login: { readonly login: string; readonly password: string },
  ): Awaitable<Readonly<Record<string, string>>>
  /** Creates a parcel at the carrier. */
  send(context: CarrierContext<C, S>, shipment: Shipment): Awaitable<Sent>
  /** Creates up to `sendManyMax` parcels. A reference that is missing from the result has an unknown outcome. */
  sendMany?(context: CarrierContext<C, S>, shipments: readonly Shipment[]): Awaitable<SentRow[]>
  readonly sendManyMax?: number
  /**
   * Finds the parcel created under `reference`. An unconfirmed draft is the parcel: it is confirmed here, not created again; if that fails,
   * this throws. Return null only if there is neither, since the parcel is then created again. Required by `exactlyOnce:
   * 'findByReference'`.
   */
  findByReference?(context: CarrierContext<C, S>, reference: string): Awaitable<Sent | null>
  /** Changes a parcel at the carrier. */
  edit?(context: CarrierContext<C, S>, trackingId: string, change: Change): Awaitable<void>
  /** Cancels a parcel; throws `refused` if the carrier rejects it. */
  cancel?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
  /** Confirms a draft at the carrier. */
  validate?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
  /** Reads these parcels from the carrier. Unknown ones are left out; `codAmount` only if the carrier shows it. */
  track?(context: CarrierContext<C, S>, trackingIds: readonly string[]): Awaitable<CarrierParcel[]>
  /** Maximum number of tracking numbers in one call of `track`. */
  readonly trackMax?: number
  /** Lists the parcels of the account, page by page. */
  list?(
    context: CarrierContext<C, S>,
    query: { cursor?: string; limit: number; status?: string; since?: string },
  ): Awaitable<{ rows: CarrierParcel[]; nextCursor: string | null }>
  /** Reads the carrier's own labels. Without it, the server prints a label from the parcel. */
  labels?(context: CarrierContext<C, S>, trackingIds: readonly string[]): Awaitable<Label[]>
  states?(context: CarrierContext<C, S>): Awaitable<State[]>
  /**
   * Lists all cities, or those of one state. Throw `refused` if all are too many for one call: the server then reads them state by state,
   * in the background.
   */
  cities?(context: CarrierContext<C, S>, query: { stateId?: string }): Awaitable<City[]>
  centers?(context: CarrierContext<C, S>, query: { stateId?: string }): Awaitable<Center[]>
  fees?(context: CarrierContext<C, S>, query: { stateCode?: string }): Awaitable<Fee[]>
  rates?(context: CarrierContext<C, S>, quote: Quote): Awaitable<Rate[]>
  serviceFees?(context: CarrierContext<C, S>): Awaitable<ServiceFee[]>
  stockProducts?(context: CarrierContext<C, S>): Awaitable<StockProduct[]>
  /** Subscribes `url` at the carrier, and returns the credentials that result from it (a webhook secret). */
  setupWebhook?(context: CarrierContext<C, S>, url: string): Awaitable<{ credentials?: Partial<Record<keyof C & string, string>> }>
  readonly webhook?: Webhook<C, S>
  /** The carrier's statements on money: what it holds for us, and what it paid out. */
  readonly cash?: {
    /** Lists collected parcels that are not yet in a payout. Absent if the carrier reports money only once it is paid out. */
    preview?(context: CarrierContext<C, S>): Awaitable<CashLine[]>
    batches(context: CarrierContext<C, S>): Awaitable<CashBatch[]>
    batch(context: CarrierContext<C, S>, id: string): Awaitable<CashBatchDetail>
    /** Confirms to the carrier that a payout arrived. */
    confirm?(context: CarrierContext<C, S>, id: string): Awaitable<CashBatch>
  }
}

/**
 * Declares a carrier: adds the constants and keeps the types of the fields. Export the result as default, or an array with one carrier for
 * each company.
 */
export function carrier<const C extends Fields, const S extends Fields>(
  definition: Omit<Carrier<C, S>, 'kind' | 'contract'>,
): Carrier<C, S> {
  return { kind: 'carrier', contract: CONTRACT, ...definition }
}
