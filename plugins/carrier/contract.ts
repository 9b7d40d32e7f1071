import type { Adapter, AdapterContext, Webhook as AdapterWebhook, Awaitable } from '../adapter.ts'
import type { Fields } from '../fields.ts'
import type {
  CarrierParcel,
  CashBatch,
  CashBatchDetail,
  CashLine,
  CashStatus,
  Center,
  City,
  DeliveryType,
  Fee,
  Label,
  ParcelStatus,
  Rate,
  Sent,
  SentRow,
  ServiceFee,
  Shipment,
  State,
  StatusReport,
  StockProduct,
} from './model.ts'

export {
  type AdapterContext,
  AdapterError,
  /** The name of it before there were other kinds. */
  AdapterError as CarrierError,
  type FetchInit,
  type Field,
  type Fields,
  type InboundRequest,
  type Memory,
  type RateWindow,
  type Values,
} from '../adapter.ts'
export type * from './model.ts'

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

/**
 * What each function of a carrier is given. Its signal is aborted at the deadline: `settleSeconds` for `send` and `sendMany` (2 at least), 5 s
 * for each of `webhook`, 8 for `testConnection`, 30 for the rest, 60 for `states` and `cities` in the background.
 */
export type CarrierContext<C extends Fields = Fields, S extends Fields = Fields> = AdapterContext<C, S>

/** What a raw status means. A bare word is the delivery axis alone; `null` says: known, and it changes nothing. */
export type StatusRule =
  | ParcelStatus
  | null
  | { readonly status?: ParcelStatus; readonly cash?: CashStatus; readonly flag?: 'ready_for_pickup' | 'abandoned' | 'damaged' }

/** How a carrier's callbacks are believed and read. */
export type Webhook<C extends Fields, S extends Fields> = AdapterWebhook<C, S, StatusReport>

/**
 * What the carrier can do against sending one parcel twice:
 * - `idempotencyKey`: repeating `send` with the same `reference` creates nothing new.
 * - `findByReference`: not that, but a parcel can be looked up by our `reference`.
 * - `unsafe`: neither; a person decides when an outcome is unknown.
 */
export type ExactlyOnce = 'idempotencyKey' | 'findByReference' | 'unsafe'

export interface Quote {
  readonly stateCode: string
  readonly cityName?: string
  readonly deliveryType?: DeliveryType
  readonly weightKg?: number
  readonly dimensions?: NonNullable<Shipment['dimensions']>
  readonly declaredValue?: number
}

/** The fields of a parcel that may change after the carrier has it. */
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

/** What is to change: whole fields, as they are to be. */
export type Change = Partial<Pick<Shipment, (typeof changeFields)[number]>>

/**
 * One carrier, as one object. A member that is missing means: it does not do that, and the routes that need it do not exist.
 * Everything taken and given is plain data. Functions translate between our words and the brand's; they decide nothing else.
 */
export interface Carrier<C extends Fields = Fields, S extends Fields = Fields> extends Adapter<C, S> {
  readonly kind: 'carrier'
  readonly contract: typeof CONTRACT
  /** ISO 3166 alpha-2 codes of where it delivers. */
  readonly countries: readonly string[]
  readonly currency: string
  readonly exactlyOnce: ExactlyOnce
  /** Seconds that a call of `send` is given, and as many again before a look-up that finds nothing is trusted. */
  readonly settleSeconds: number
  readonly deliveryTypes: readonly DeliveryType[]
  /** It exchanges: its courier brings back what `takesBack` of a shipment says. Others are never asked to. */
  readonly exchanges?: boolean
  /** Most that may be collected on one parcel. */
  readonly codMax?: number
  /** Unified statuses in which the carrier still takes an edit or a cancellation. */
  readonly editableIn: readonly ParcelStatus[]
  /** The fields that `edit` takes; all of them unless said. A change of others is refused with their names, before `edit` is called. */
  readonly editable?: readonly (keyof Change)[]
  readonly cancellableIn: readonly ParcelStatus[]
  /** Raw status to meaning; looked up without regard to case, accents, spaces, `_` and `-`. */
  readonly statuses: Readonly<Record<string, StatusRule>>

  /** Resolves where the account works; throws `unauthorized` where it does not. Changes nothing. */
  testConnection(context: CarrierContext<C, S>): Awaitable<{ account?: string }>
  /**
   * A token for who signs in, as the credentials that hold it (`{ apiToken }`). Asked without a connection: the context has settings, and no
   * credentials.
   */
  createToken?(
    context: CarrierContext<C, S>,
    login: { readonly login: string; readonly password: string },
  ): Awaitable<Readonly<Record<string, string>>>
  send(context: CarrierContext<C, S>, shipment: Shipment): Awaitable<Sent>
  /** Up to `sendManyMax` at once; a reference that is missing from the answer has an unknown outcome. */
  sendMany?(context: CarrierContext<C, S>, shipments: readonly Shipment[]): Awaitable<SentRow[]>
  readonly sendManyMax?: number
  /**
   * The parcel sent under `reference`. A draft that was left unconfirmed is the parcel: it is confirmed here, not made again; where that fails
   * this throws. Null only where the carrier has neither, for then the parcel is sent once more. Required by `findByReference`.
   */
  findByReference?(context: CarrierContext<C, S>, reference: string): Awaitable<Sent | null>
  edit?(context: CarrierContext<C, S>, trackingId: string, change: Change): Awaitable<void>
  /** Resolves once the carrier has dropped it; throws `refused` where it will not. */
  cancel?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
  /** Turns a draft at the carrier into a real order. */
  validate?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
  /** What the carrier shows of these parcels, those that it does not know left out; `codAmount` only where it shows it. */
  track?(context: CarrierContext<C, S>, trackingIds: readonly string[]): Awaitable<CarrierParcel[]>
  /** How many tracking numbers one call of `track` takes. */
  readonly trackMax?: number
  list?(
    context: CarrierContext<C, S>,
    query: { cursor?: string; limit: number; status?: string; since?: string },
  ): Awaitable<{ rows: CarrierParcel[]; nextCursor: string | null }>
  /** Its own labels. Missing: the server prints one from the parcel. */
  labels?(context: CarrierContext<C, S>, trackingIds: readonly string[]): Awaitable<Label[]>
  states?(context: CarrierContext<C, S>): Awaitable<State[]>
  /** All of them, or those of one state. Where all are too much for one call, throw `refused`: the server asks state by state, in the background. */
  cities?(context: CarrierContext<C, S>, query: { stateId?: string }): Awaitable<City[]>
  centers?(context: CarrierContext<C, S>, query: { stateId?: string }): Awaitable<Center[]>
  fees?(context: CarrierContext<C, S>, query: { stateCode?: string }): Awaitable<Fee[]>
  rates?(context: CarrierContext<C, S>, quote: Quote): Awaitable<Rate[]>
  serviceFees?(context: CarrierContext<C, S>): Awaitable<ServiceFee[]>
  stockProducts?(context: CarrierContext<C, S>): Awaitable<StockProduct[]>
  /** Asks the carrier to call `url`, and gives back the credentials that this yielded (a webhook secret). */
  setupWebhook?(context: CarrierContext<C, S>, url: string): Awaitable<{ credentials?: Partial<Record<keyof C & string, string>> }>
  readonly webhook?: Webhook<C, S>
  /** The carrier's word on money: what it holds for us, what it paid out. */
  readonly cash?: {
    /** Parcels collected and not yet in a payout. Left out by carriers that tell of money only once it is paid out. */
    preview?(context: CarrierContext<C, S>): Awaitable<CashLine[]>
    batches(context: CarrierContext<C, S>): Awaitable<CashBatch[]>
    batch(context: CarrierContext<C, S>, id: string): Awaitable<CashBatchDetail>
    /** Tells the carrier that a payout arrived. */
    confirm?(context: CarrierContext<C, S>, id: string): Awaitable<CashBatch>
  }
}

/** Declares a carrier: fills in what is constant, keeps the field types. Export the result (or an array: one row a company) as default. */
export function carrier<const C extends Fields, const S extends Fields>(
  definition: Omit<Carrier<C, S>, 'kind' | 'contract'>,
): Carrier<C, S> {
  return { kind: 'carrier', contract: CONTRACT, ...definition }
}
