import type { Fields, Values } from '../fields.ts'
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

export type { Field, Fields, Values } from '../fields.ts'
export type * from './model.ts'

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

type Awaitable<V> = V | Promise<V>

/** A durable note-book of one connection (one store's account at one carrier), kept by the host. Values are JSON, up to 64 KiB. */
export interface Memory {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  /** Sets only where nothing stands yet, and says whether it did: one winner, whoever else asks. */
  add(key: string, value: unknown): Promise<boolean>
  delete(key: string): Promise<void>
  /** Keys in order, from after `after`, at most `limit` (1–1000). */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<{ key: string; value: unknown }[]>
}

/** What `context.fetch` takes: a part of the web's own `RequestInit`. */
export interface FetchInit {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Follow redirects to declared hosts. Off unless asked for. */
  readonly followRedirects?: boolean
  /** Says that this POST only reads (a search): when nothing else went out, nothing can have been created. */
  readonly readsOnly?: boolean
  /** Milliseconds; 20,000 unless said, never more than what is left of the operation's own deadline. */
  readonly timeoutMs?: number
}

/** All that an adapter can reach: no files, no environment, no database. */
export interface CarrierContext<C extends Fields = Fields, S extends Fields = Fields> {
  readonly storeId: string
  /** Identifies the connection; the same in every call for it. */
  readonly connectionId: string
  readonly credentials: Values<C>
  readonly settings: Values<S>
  /** The way out: declared hosts only, within the rate windows, traced. */
  fetch(url: string, init?: FetchInit): Promise<Response>
  readonly memory: Memory
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Milliseconds since 1970; the only clock. */
  now(): number
  /** Aborted at the operation's deadline, or when the caller went away. */
  readonly signal: AbortSignal
}

/**
 * Why a carrier did not do it. Throw it; anything else thrown counts as `unavailable`.
 * - `refused`: understood and declined, for good. Nothing was created. The message is shown to a person.
 * - `unauthorized`: wrong or revoked credentials. Nothing was created.
 * - `rate_limited`: over quota; nothing was created. `retryAfterSeconds` where the carrier said so.
 * - `not_found`: the parcel named is not there.
 * - `unavailable`: no answer, or one that cannot be read. In `send` this leaves the outcome unknown.
 */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  constructor(
    readonly reason: 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable',
    message: string,
    /** The carrier's own code and words, for `details` of the answer. */
    readonly upstream: { code?: string; message?: string; retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What a raw status means. A bare word is the delivery axis alone; `null` says: known, and it changes nothing. */
export type StatusRule =
  | ParcelStatus
  | null
  | { readonly status?: ParcelStatus; readonly cash?: CashStatus; readonly flag?: 'ready_for_pickup' | 'abandoned' | 'damaged' }

/** A request of the carrier to us, as plain data. Header names are lower case. */
export interface InboundRequest {
  readonly method: string
  /** With its query, as it was asked for. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes. */
  readonly body: Uint8Array
}

export interface Webhook<C extends Fields, S extends Fields> {
  /**
   * For a carrier that signs nothing: the credential whose secret stands in the address it calls (`?token=…`). `verify` compares that,
   * and the core takes no callback at its word: it reads each parcel named anew with `track`.
   */
  readonly unsigned?: keyof C & string
  /** Answers a proof-of-ownership request; null where the request is not one. Asked before anything else. */
  challenge?(
    request: InboundRequest,
    context: CarrierContext<C, S>,
  ): Awaitable<{ status: number; contentType: string; body: string } | null>
  /** Whether these exact bytes really came from the carrier. Compare in constant time; false where nothing can be proven. */
  verify(request: InboundRequest, context: CarrierContext<C, S>): Awaitable<boolean>
  /** Bytes to news. One bad event never hides the others: leave it out and log it. */
  parse(request: InboundRequest, context: CarrierContext<C, S>): Awaitable<StatusReport[]>
}

/** At most `calls` in any `seconds` for one account. All windows hold at once. */
export interface RateWindow {
  readonly calls: number
  readonly seconds: number
}

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
  readonly dimensions?: Shipment['dimensions']
  readonly declaredValue?: number
}

/** The fields of a parcel that may change after the carrier has it. */
export type Change = Partial<
  Pick<Shipment, 'recipient' | 'destination' | 'codAmount' | 'declaredValue' | 'weightKg' | 'contents' | 'notes'>
>

/**
 * One carrier, as one object. A member that is missing means: it does not do that, and the routes that need it do not exist.
 * Everything taken and given is plain data. Functions translate between our words and the brand's; they decide nothing else.
 */
export interface Carrier<C extends Fields = Fields, S extends Fields = Fields> {
  readonly kind: 'carrier'
  readonly contract: typeof CONTRACT
  /** Lower case; the segment in addresses and the `code` in sends. */
  readonly slug: string
  readonly label: string
  readonly website?: string
  /** ISO 3166 alpha-2 codes of where it delivers. */
  readonly countries: readonly string[]
  readonly currency: string
  /** Hosts it may reach, exactly as named (`*.example.com` for those below a name); nothing else answers. */
  readonly net: readonly string[]
  readonly credentials: C
  readonly settings: S
  readonly exactlyOnce: ExactlyOnce
  /** Seconds that a call of `send` is given, and as many again before a look-up that finds nothing is trusted. */
  readonly settleSeconds: number
  readonly rateWindows: readonly RateWindow[]
  readonly deliveryTypes: readonly DeliveryType[]
  /** Most that may be collected on one parcel. */
  readonly codMax?: number
  /** Unified statuses in which the carrier still takes an edit or a cancellation. */
  readonly editableIn: readonly ParcelStatus[]
  readonly cancellableIn: readonly ParcelStatus[]
  /** Raw status to meaning; looked up without regard to case, accents, spaces, `_` and `-`. */
  readonly statuses: Readonly<Record<string, StatusRule>>

  /** Resolves where the account works; throws `unauthorized` where it does not. Changes nothing. */
  testConnection(context: CarrierContext<C, S>): Awaitable<{ account?: string }>
  send(context: CarrierContext<C, S>, shipment: Shipment): Awaitable<Sent>
  /** Up to `sendManyMax` at once; a reference that is missing from the answer has an unknown outcome. */
  sendMany?(context: CarrierContext<C, S>, shipments: readonly Shipment[]): Awaitable<SentRow[]>
  readonly sendManyMax?: number
  /** The parcel sent under `reference`, or null where the carrier has none. Required by `findByReference`. */
  findByReference?(context: CarrierContext<C, S>, reference: string): Awaitable<Sent | null>
  edit?(context: CarrierContext<C, S>, trackingId: string, change: Change): Awaitable<void>
  /** Resolves once the carrier has dropped it; throws `refused` where it will not. */
  cancel?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
  /** Turns a draft at the carrier into a real order. */
  validate?(context: CarrierContext<C, S>, trackingId: string): Awaitable<void>
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
    /** Parcels collected and not yet in a payout. */
    preview(context: CarrierContext<C, S>): Awaitable<CashLine[]>
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
