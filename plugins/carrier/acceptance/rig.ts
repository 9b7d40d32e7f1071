import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest, RateWindow, Shipment, StatusRule } from '../contract.ts'
import type { Seen, SeenParcel } from './seen.ts'

/**
 * How the other side can misbehave when a parcel is sent.
 * - `ignored`: never answers, and did nothing. `no_answer`: never answers, but took the parcel.
 * - `lost_answer`: took the parcel, then the connection broke. `malformed`: took it, the answer cannot be read. `mumbled`: took it, the
 *   answer is `{ "ok": 1 }`, which says nothing.
 * - `error_before`, `error_after`: a 5xx with the parcel left, or taken.
 * - `rate_limited`: 429 with `Retry-After`, nothing done.
 */
export type Fault = 'ignored' | 'no_answer' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'error_after' | 'rate_limited'

/** News of one parcel as the carrier would send it; null stands for an event that makes no sense. */
export type CallbackEvent = {
  readonly trackingId: string
  readonly carrierStatus: string
  readonly at: string
  readonly eventId: string
} | null

type Settings = Readonly<Record<string, unknown>>

/** What a carrier's interface may have no place for; everything else is compared. */
export type Lacking =
  | { [K in keyof SeenParcel]-?: null extends SeenParcel[K] ? K : never }[keyof SeenParcel]
  | 'times'
  | 'history'
  | 'reference'

/** Prices in the currency's major unit; null where it does not go. */
export interface Prices {
  readonly home: number | null
  readonly pickup: number | null
  /** Compared where it is given. */
  readonly returnFee?: number
}

/**
 * The other side of a carrier: its sandbox, a simulator, or recordings. A member that may be missing may be so only where the carrier's
 * definition says that there is no such thing; everywhere else the suite fails without it.
 */
export interface Rig {
  /** Where declared hosts are answered here, where they are answered at all. */
  readonly origins?: Readonly<Record<string, string>>
  /** Values that work, as a person would type them. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Settings
  /** Needed of a carrier that calls anybody. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** Settings under which a parcel ships at once, and under which it stays a draft. Needed of a carrier with `validate`. */
  readonly modes?: { readonly shipping: Settings; readonly draft: Settings }
  /** Other settings, by name, under which everything must arrive just so. */
  readonly variants?: Readonly<Record<string, Settings>>
  /** What parcels are marked with in the carrier's books under the usual settings (`usual`) and under each variant, by its name. */
  readonly marks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** A connection; with fresh memory unless one is given. */
  open(options?: DeskOptions): Desk
  /** A parcel that the carrier takes, with a reference of its own. */
  shipment(change?: Partial<Shipment>): Shipment
  /** One that the carrier itself declines. */
  refusable?(): Shipment
  /**
   * Makes the other side misbehave for the parcel given, at a step of its sending (`create` unless said); returns the parcel to send. All
   * are needed of a carrier that calls anybody, `rate_limited` of one that has rate windows.
   */
  readonly faults: Partial<Readonly<Record<Fault, (shipment: Shipment, step?: string) => Shipment>>>
  /**
   * The calls of a sending that change something at the carrier, each a pattern over `METHOD /path`: the one that makes the parcel, and those before and
   * after it. The suite fails where a sending changes something in another call.
   */
  readonly steps: { readonly create: string; readonly [step: string]: string } | null
  /** Calls that read although their method does not say so, as a pattern over `METHOD /path`. */
  readonly reads?: string
  /** Makes every read answer half of what it should, or JSON that says nothing. Needed of a carrier that calls anybody. */
  garbleReads?(how: 'malformed' | 'mumbled'): void
  /** Ends all misbehaviour. */
  calm(): void
  /** What the other side has in its own books under a reference, and every call that it got. */
  seen(reference: string): Promise<Seen>
  /** What the carrier's interface has no place for, with the reason. */
  readonly lacks?: Readonly<Partial<Record<Lacking, string>>>
  /** The interface counts weight in steps of so many grams, upwards; at most 1000. Exact unless given. */
  readonly weightStepGrams?: number
  /** What the carrier's documents allow, or what is kept to where they say nothing; how many at once where the adapter says a number. */
  readonly limits: { readonly windows: readonly RateWindow[]; readonly track?: number; readonly sendMany?: number }
  /** Calls whose documented form has a secret in the query, as a pattern over `METHOD /path`. */
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  /** What the carrier itself asks to deliver there. Needed of a carrier with fees or rates. */
  prices?(to: { readonly stateCode: string; readonly cityName: string }): Prices
  /** The percentages and amounts that it charges beside delivery. Needed of a carrier with service fees. */
  readonly charges?: readonly number[]
  /** What lies in its warehouse. Needed of a carrier with `stockProducts`. */
  readonly stock?: readonly { readonly sku?: string; readonly quantity: number }[]
  /** A sign-in that works. Left out where how one signs in is not published. */
  readonly signIn?: { readonly login: string; readonly password: string }
  /** The credentials that come of setting up a webhook; none where the person types them in. Needed of a carrier with `setupWebhook`. */
  readonly setUpGives?: readonly string[]
  /** Tracking numbers that the carrier really has under a reference. */
  parcelsOf(desk: Desk, reference: string): Promise<readonly string[]>
  /** Moves a parcel at the carrier. */
  advance(desk: Desk, trackingId: string, carrierStatus: string, at?: string): Promise<void>
  /** The raw status of a delivered parcel, of one that moves, that comes back, that is back, and one that no table knows. */
  readonly raw: Readonly<Record<'delivered' | 'moving' | 'returning' | 'returned' | 'unknown', string>>
  /** What raw statuses mean by the carrier's own documents, whatever the adapter's table says. */
  readonly meanings?: Readonly<Record<string, StatusRule>>
  /** Both are needed of a carrier with `webhook`. */
  callback?(events: readonly CallbackEvent[]): Promise<InboundRequest>
  /** These bytes, rightly signed. */
  signed?(body: Uint8Array): Promise<InboundRequest>
  /** Needed of a carrier with `webhook.challenge`. */
  challenge?(token: string): InboundRequest
  /** Puts the money of a delivered parcel into a payout. Needed of a carrier with `cash`. */
  pay?(desk: Desk, trackingId: string, payoutId: string): Promise<void>
  /** Ends the other side. */
  close?(): unknown
}
