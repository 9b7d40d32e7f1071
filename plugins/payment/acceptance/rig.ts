import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest, RateWindow } from '../../adapter.ts'
import type { Checkout, CheckoutStatus } from '../model.ts'
import type { PayoutStatus } from '../payouts.model.ts'
import type { Seen, SeenCheckout, SeenPayout, SeenPayoutLine } from './seen.ts'

/**
 * Faults of the simulator.
 * - `ignored`: never answers, and does nothing. `no_answer`: never answers, but does it.
 * - `lost_answer`: does it, then the connection breaks. `malformed`: does it, and sends half an answer. `mumbled`: does it, and answers `{
 *   "ok": 1 }`.
 * - `error_before`, `error_after`: answers a 5xx with nothing done, or with everything done.
 * - `redirected`: redirects to `/elsewhere` on the same host, with nothing done.
 * - `rate_limited`: answers 429 with `Retry-After: 2`, with nothing done.
 */
export type Fault =
  | 'ignored'
  | 'no_answer'
  | 'lost_answer'
  | 'malformed'
  | 'mumbled'
  | 'error_before'
  | 'error_after'
  | 'redirected'
  | 'rate_limited'

/** Members whose calls can be made to fail. */
export type CalledMember = 'testConnection' | 'createCheckout' | 'read' | 'capture' | 'expire' | 'refund' | 'payouts.list' | 'payouts.lines'

/** Event in a gateway's callback: a checkout's current status, an unknown type (`unknown`), or null for an event without meaning. */
export type CallbackEvent = { readonly externalId: string; readonly status: CheckoutStatus | 'unknown' } | null

/** Location of a callback's proof: the header, the query parameter or the member of its JSON. */
export interface Proof {
  readonly in: 'header' | 'query' | 'body'
  readonly name: string
  /** True if it signs every byte of the body; false if it is a repeated secret, or signs only parts. */
  readonly signs: boolean
  /** Header with the time of signing, if the proof itself does not contain it. */
  readonly time?: string
}

type Settings = Readonly<Record<string, unknown>>

/** Properties and statuses that a gateway may not have; everything else is compared. */
export type Lacking =
  | { [K in keyof SeenCheckout]: null extends SeenCheckout[K] ? K : never }[keyof SeenCheckout]
  | Exclude<CheckoutStatus, 'open' | 'paid'>
  | `payout.${Exclude<PayoutStatus, 'paid'>}`
  /** It accepts only the requested amount. */
  | 'otherAmount'
  /** It sends one event per request. */
  | 'several'
  /** Refunds are immediate. */
  | 'refund.pending'
  /** Money is never taken back, or the gateway does not tell. */
  | 'takenBack'
  /** Its response does not identify the checkout, so a mix-up cannot be detected. */
  | 'otherCheckout'
  /** Its callbacks have no time of signing. */
  | 'age'
  /** Not all of its statuses are documented, so one status must stand for all unknown ones. */
  | 'unknownStatus'

/**
 * Simulator of a gateway, its sandbox, or recordings. An optional member may be missing only if the definition does not need it; otherwise
 * the suite fails.
 */
export interface Rig {
  /** Valid credentials, as a user enters them. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Settings
  /** Invalid credentials. Required for a gateway that makes calls. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** Settings under which a payment is only authorized. Required for a gateway with `capture`. */
  readonly holding?: Settings
  /** Opens a connection, with empty storage unless one is given. */
  open(options?: DeskOptions): Desk
  /** Builds a valid checkout request for a new payment. */
  checkout(change?: Partial<Checkout>): Checkout
  /** Returns a checkout request that the gateway itself declines, and a part of its message. */
  refusable?(): { readonly checkout: Checkout; readonly words: string }
  /**
   * Patterns over `METHOD /path` of the calls of each member. Required together with `fail` for a gateway that makes calls, for each member
   * that it has.
   */
  readonly calls?: Partial<Readonly<Record<CalledMember, string>>>
  /** Applies a fault to the calls that match the pattern. */
  fail?(fault: Fault, calls: string): void
  /** Ends all faults and alternative spellings. */
  calm(): void
  /** Alternative ways in which the gateway may write the same data (numbers as text, `1` for true), by name. Each ends with `calm`. */
  readonly spellings?: Readonly<Record<string, () => void>>
  /** Returns the simulator's records of one payment, and every call that it received. */
  seen(paymentId: string): Promise<Seen>
  /** Properties that the gateway's API does not have, with the reasons. */
  readonly lacks?: Readonly<Partial<Record<Lacking, string>>>
  /** Documented rate limits of the gateway, or assumed ones if nothing is documented. */
  readonly limits: { readonly windows: readonly RateWindow[] }
  /** Pattern over `METHOD /path` of calls whose documentation puts a secret into the query. */
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  /** Brings a checkout to this status, as a payer or the time would; a paid one with another amount if given. */
  become(desk: Desk, externalId: string, status: CheckoutStatus, amount?: number): Promise<void>
  /**
   * JSON path of the status in the response of `read` (`data.status`), or one path for each status if they differ. The suite puts an
   * unknown word there. Required for a gateway that makes calls, unless `lacks` says why not.
   */
  readonly statusAt?: string | Readonly<Record<'open' | 'paid', string>>
  /** Takes the money of a paid checkout back, as a bank does. Required unless `lacks` says why not. */
  takeBack?(desk: Desk, externalId: string): Promise<void>
  /**
   * Makes every refund wait for `moveRefund`; ended by `calm`. Required together with `moveRefund` for a gateway with `refund`, unless
   * `lacks` says why not.
   */
  delayRefunds?(): void
  /** Brings a waiting refund to this status, by the gateway's id of it. */
  moveRefund?(desk: Desk, externalId: string, status: 'done' | 'failed'): Promise<void>
  /**
   * Pays out everything paid in the currency of `checkout` as one payout whose lines are available. Required together with `seenPayout` for
   * a gateway with `payouts`.
   */
  payOut?(desk: Desk): Promise<string>
  /** Returns a payout as the simulator recorded it. */
  seenPayout?(desk: Desk, externalId: string): Promise<{ readonly payout: SeenPayout; readonly lines: readonly SeenPayoutLine[] }>
  /** Brings a payout to this status. */
  movePayout?(desk: Desk, externalId: string, status: PayoutStatus): Promise<void>
  /** Limits the rows of a page; ended by `calm`. Required for a gateway with `payouts` that makes calls. */
  pagesOf?(rows: number): void
  /** Statuses for which it sends callbacks. This member and the next three are required for a gateway with `webhook`. */
  readonly tells?: readonly CheckoutStatus[]
  readonly proof?: Proof
  /** Builds a callback as the gateway sends it, and brings the checkouts to the statuses in it. */
  callback?(desk: Desk, events: readonly CallbackEvent[]): Promise<InboundRequest>
  /** Builds a callback with these bytes and a valid proof. Required if the proof signs. */
  signed?(desk: Desk, body: Uint8Array): Promise<InboundRequest>
  /** Returns a request for `webhook.challenges`, and a part of the right answer. */
  challenge?(desk: Desk): Promise<{ readonly request: InboundRequest; readonly holds: string }>
  /** Stops the simulator. */
  close?(): unknown
}
