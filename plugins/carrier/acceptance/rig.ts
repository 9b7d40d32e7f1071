import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest, RateWindow, Shipment, StatusRule } from '../contract.ts'
import type { Seen, SeenParcel } from './seen.ts'

/**
 * Faults of the simulator while a parcel is sent.
 * - `ignored`: never answers, and does nothing. `no_answer`: never answers, but takes the parcel.
 * - `lost_answer`: takes the parcel, then the connection breaks. `malformed`: takes it, but the answer is invalid. `mumbled`: takes it, and
 *   answers `{ "ok": 1 }`.
 * - `error_before`, `error_after`: answers a 5xx with the parcel not taken, or taken.
 * - `rate_limited`: answers 429 with `Retry-After`, with nothing done.
 */
export type Fault = 'ignored' | 'no_answer' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'error_after' | 'rate_limited'

/** Event of a parcel in a carrier's callback; null for an event without meaning. */
export type CallbackEvent = {
  readonly trackingId: string
  readonly carrierStatus: string
  readonly at: string
  readonly eventId: string
} | null

type Settings = Readonly<Record<string, unknown>>

/** Properties that a carrier's API may not have; everything else is compared. */
export type Lacking =
  | { [K in keyof SeenParcel]-?: null extends SeenParcel[K] ? K : never }[keyof SeenParcel]
  | 'times'
  | 'history'
  | 'reference'

/** Prices in the currency's major unit; null if the delivery type is not offered. */
export interface Prices {
  readonly home: number | null
  readonly pickup: number | null
  /** Compared if given. */
  readonly returnFee?: number
}

/**
 * Simulator of a carrier, its sandbox, or recordings. An optional member may be missing only if the definition does not need it; otherwise
 * the suite fails.
 */
export interface Rig {
  /** Local addresses of declared hosts, if the carrier has a simulator. */
  readonly origins?: Readonly<Record<string, string>>
  /** Valid credentials, as a user enters them. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Settings
  /** Invalid credentials. Required for a carrier that makes calls. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** Settings under which a parcel ships immediately, and under which it stays a draft. Required for a carrier with `validate`. */
  readonly modes?: { readonly shipping: Settings; readonly draft: Settings }
  /** Further settings by name, under which everything must arrive the same. */
  readonly variants?: Readonly<Record<string, Settings>>
  /** Marks of parcels in the carrier's records, by the name of the variant; `usual` for the usual settings. */
  readonly marks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** A connection, with empty storage unless one is given. */
  open(options?: DeskOptions): Desk
  /** Builds a valid shipment with a new reference. */
  shipment(change?: Partial<Shipment>): Shipment
  /** Builds a shipment that the carrier itself declines. */
  refusable?(): Shipment
  /**
   * Applies a fault to the shipment at a step of its sending (`create` by default), and returns the shipment to send. All faults are
   * required for a carrier that makes calls, `rate_limited` only for one with rate windows.
   */
  readonly faults: Partial<Readonly<Record<Fault, (shipment: Shipment, step?: string) => Shipment>>>
  /**
   * Calls of a sending that change something at the carrier, as patterns over `METHOD /path`: the one that creates the parcel, and those
   * before and after it. The suite fails if a sending changes something in another call.
   */
  readonly steps: { readonly create: string; readonly [step: string]: string } | null
  /** Pattern over `METHOD /path` of calls that only read although their method suggests a change. */
  readonly reads?: string
  /** Makes every read answer half a response, or JSON without meaning. Required for a carrier that makes calls. */
  garbleReads?(how: 'malformed' | 'mumbled'): void
  /** Ends all faults. */
  calm(): void
  /** Returns the simulator's records under a reference, and every call that it received. */
  seen(reference: string): Promise<Seen>
  /** Properties that the carrier's API does not have, with the reasons. */
  readonly lacks?: Readonly<Partial<Record<Lacking, string>>>
  /** Step in which the API counts the weight in grams, rounded up; at most 1000. Exact by default. */
  readonly weightStepGrams?: number
  /** Documented limits of the carrier, or assumed ones if nothing is documented: rate windows, and batch sizes if the adapter has any. */
  readonly limits: { readonly windows: readonly RateWindow[]; readonly track?: number; readonly sendMany?: number }
  /** Pattern over `METHOD /path` of calls whose documentation puts a secret into the query. */
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  /** Returns the carrier's own prices for a destination. Required for a carrier with fees or rates. */
  prices?(to: { readonly stateCode: string; readonly cityName: string }): Prices
  /** Percentages and amounts of its service fees. Required for a carrier with service fees. */
  readonly charges?: readonly number[]
  /** Goods in its warehouse. Required for a carrier with `stockProducts`. */
  readonly stock?: readonly { readonly sku?: string; readonly quantity: number }[]
  /** A sign-in that works. Left out if the carrier does not publish how to sign in. */
  readonly signIn?: { readonly login: string; readonly password: string }
  /** The credentials that come of setting up a webhook; none where the person types them in. Needed of a carrier with `setupWebhook`. */
  readonly setUpGives?: readonly string[]
  /** Tracking numbers that the carrier actually has under a reference. */
  parcelsOf(desk: Desk, reference: string): Promise<readonly string[]>
  /** Brings a parcel to a raw status at the carrier. */
  advance(desk: Desk, trackingId: string, carrierStatus: string, at?: string): Promise<void>
  /** Raw statuses of a parcel that is delivered, moving, returning and returned, and one that no table has. */
  readonly raw: Readonly<Record<'delivered' | 'moving' | 'returning' | 'returned' | 'unknown', string>>
  /** Meanings of raw statuses by the carrier's documentation, independent of the adapter's table. */
  readonly meanings?: Readonly<Record<string, StatusRule>>
  /** Builds a callback. Required together with `signed` for a carrier with `webhook`. */
  callback?(events: readonly CallbackEvent[]): Promise<InboundRequest>
  /** Builds a callback with these bytes and a valid signature. */
  signed?(body: Uint8Array): Promise<InboundRequest>
  /** Builds a proof-of-ownership request. Required for a carrier with `webhook.challenges`. */
  challenge?(token: string): InboundRequest
  /** Puts the money of a delivered parcel into a payout. Required for a carrier with `cash`. */
  pay?(desk: Desk, trackingId: string, payoutId: string): Promise<void>
  /** Stops the simulator. */
  close?(): unknown
}
