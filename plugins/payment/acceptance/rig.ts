import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest, RateWindow } from '../../adapter.ts'
import type { Checkout, CheckoutStatus, PayoutStatus } from '../model.ts'
import type { Seen, SeenCheckout, SeenPayout, SeenPayoutLine } from './seen.ts'

/**
 * How the other side can misbehave.
 * - `ignored`: never answers, and did nothing. `no_answer`: never answers, but did it.
 * - `lost_answer`: did it, then the connection broke. `malformed`: did it, the answer is half of one. `mumbled`: did it, the answer is
 *   `{ "ok": 1 }`, which says nothing.
 * - `error_before`, `error_after`: a 5xx with nothing done, or everything.
 * - `redirected`: a redirect to `/elsewhere` on the same host, nothing done.
 * - `rate_limited`: 429 with `Retry-After: 2`, nothing done.
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

/** The members whose calls can be made to fail. */
export type Asked = 'testConnection' | 'createCheckout' | 'read' | 'capture' | 'expire' | 'refund' | 'payouts.list' | 'payouts.lines'

/** News as the gateway tells them: of a checkout as it stands, of one under a type that nobody knows, or null for an event that makes no sense. */
export type CallbackEvent = { readonly externalId: string; readonly status: CheckoutStatus | 'unknown' } | null

/** Where a callback is proven: the header, the query parameter or the member of its JSON that holds the proof. */
export interface Proof {
  readonly in: 'header' | 'query' | 'body'
  readonly name: string
  /** Whether it signs every byte of the body; else it is a secret that is only repeated, or signs parts. */
  readonly signs: boolean
  /** Header in which the time of signing stands, where the proof itself does not have it. */
  readonly time?: string
}

type Settings = Readonly<Record<string, unknown>>

/** What a gateway may have no place for, or never says; everything else is compared. */
export type Lacking =
  | { [K in keyof SeenCheckout]: null extends SeenCheckout[K] ? K : never }[keyof SeenCheckout]
  | Exclude<CheckoutStatus, 'open' | 'paid'>
  | `payout.${Exclude<PayoutStatus, 'paid'>}`
  /** It takes exactly what was asked for. */
  | 'otherAmount'
  /** It tells one event a request. */
  | 'several'
  /** Money is given back at once. */
  | 'refund.pending'
  /** A bank takes nothing back, or the gateway does not tell. */
  | 'takenBack'
  /** Its answer names no checkout, so nobody can see that it is about another. */
  | 'otherCheckout'
  /** Its callbacks have no time of signing. */
  | 'age'
  /** Not all of its statuses are published, so one of them has to stand for all that nobody knows. */
  | 'unknownStatus'

/**
 * The other side of a gateway: its sandbox, a simulator, or recordings. A member that may be missing may be so only where the definition
 * says that there is no such thing; everywhere else the suite fails without it.
 */
export interface Rig {
  /** Values that work, as a person would type them. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Settings
  /** Needed of a gateway that calls anybody. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** Settings under which paying only holds the money. Needed of a gateway with `capture`. */
  readonly holding?: Settings
  /** A connection; with fresh memory unless one is given. */
  open(options?: DeskOptions): Desk
  /** A checkout that the gateway takes, of a payment of its own. */
  checkout(change?: Partial<Checkout>): Checkout
  /** One that the gateway itself declines, and words of its refusal. */
  refusable?(): { readonly checkout: Checkout; readonly words: string }
  /** The calls of each member, as patterns over `METHOD /path`. Needed, with `fail`, of a gateway that calls anybody, for each member that it has. */
  readonly calls?: Partial<Readonly<Record<Asked, string>>>
  /** Makes the calls that match the pattern misbehave. */
  fail?(fault: Fault, calls: string): void
  /** Ends all misbehaviour and odd spelling. */
  calm(): void
  /** Other ways in which the other side may write the same things (numbers as text, `1` for true), by name; each is ended by `calm`. */
  readonly spellings?: Readonly<Record<string, () => void>>
  /** What the other side has in its own books of one of our payments, and every call that it got. */
  seen(paymentId: string): Promise<Seen>
  /** What the gateway's interface has no place for, or never says, with the reason. */
  readonly lacks?: Readonly<Partial<Record<Lacking, string>>>
  /** What the gateway's documents allow, or what is kept to where they say nothing. */
  readonly limits: { readonly windows: readonly RateWindow[] }
  /** Calls whose documented form has a secret in the query, as a pattern over `METHOD /path`. */
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  /** What a payer, or time, makes of a checkout at the gateway; of one that is paid, with another amount where one is given. */
  become(desk: Desk, externalId: string, status: CheckoutStatus, amount?: number): Promise<void>
  /**
   * Where the answer of `read` says how the checkout stands, as a path of its JSON (`data.status`), or one for each where they differ. The
   * suite writes a word there that nobody knows. Needed of a gateway that calls anybody, unless `lacks` says why not.
   */
  readonly statusAt?: string | Readonly<Record<'open' | 'paid', string>>
  /** The shop's bank, or the payer's, takes the money of a paid checkout back. Needed unless `lacks` says why not. */
  takeBack?(desk: Desk, externalId: string): Promise<void>
  /** Makes every refund wait until `moveRefund`; ended by `calm`. Needed, with the next, of a gateway with `refund`, unless `lacks` says why not. */
  delayRefunds?(): void
  /** What becomes of a refund that waits, by the gateway's own name of it. */
  moveRefund?(desk: Desk, externalId: string, status: 'done' | 'failed'): Promise<void>
  /** What is owed of all that was paid in the currency of `checkout` goes to the bank, as one payout whose lines can be told. Needed, with the next, of a gateway with `payouts`. */
  payOut?(desk: Desk): Promise<string>
  /** A payout in the gateway's own books. */
  seenPayout?(desk: Desk, externalId: string): Promise<{ readonly payout: SeenPayout; readonly lines: readonly SeenPayoutLine[] }>
  /** What becomes of a payout. */
  movePayout?(desk: Desk, externalId: string, status: PayoutStatus): Promise<void>
  /** Makes the other side give so few rows a page; ended by `calm`. Needed of a gateway with `payouts` that calls anybody. */
  pagesOf?(rows: number): void
  /** The statuses of which it tells callbacks. All four are needed of a gateway with `webhook`. */
  readonly tells?: readonly CheckoutStatus[]
  readonly proof?: Proof
  /** A callback as the gateway sends it. What it tells of the checkout is so at the gateway. */
  callback?(desk: Desk, events: readonly CallbackEvent[]): Promise<InboundRequest>
  /** These bytes, rightly proven. Needed where the proof signs. */
  signed?(desk: Desk, body: Uint8Array): Promise<InboundRequest>
  /** What is asked of a `webhook.challenge`, and words of the right answer. */
  challenge?(desk: Desk): Promise<{ readonly request: InboundRequest; readonly holds: string }>
  /** Ends the other side. */
  close?(): unknown
}
