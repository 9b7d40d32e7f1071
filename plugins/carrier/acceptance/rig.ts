import type { CarrierContext, InboundRequest, Memory, Shipment } from '../contract.ts'

/**
 * How the other side can misbehave when a parcel is sent.
 * - `ignored`: never answers, and did nothing. `no_answer`: never answers, but took the parcel.
 * - `lost_answer`: took the parcel, then the connection broke. `malformed`: took it, the answer cannot be read.
 * - `error_before`, `error_after`: a 5xx with the parcel left, or taken.
 * - `rate_limited`: 429 with `Retry-After`, nothing done.
 */
export type Fault = 'ignored' | 'no_answer' | 'lost_answer' | 'malformed' | 'error_before' | 'error_after' | 'rate_limited'

export interface DeskOptions {
  readonly connectionId?: string
  readonly credentials?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, unknown>>
  readonly memory?: Memory
  readonly deadlineMs?: number
}

/** One connection to the carrier, and what went through it. */
export interface Desk {
  readonly context: CarrierContext
  readonly logged: readonly unknown[]
  /** Hosts that were asked for, and those of them that are not declared. */
  readonly asked: readonly string[]
  readonly undeclared: readonly string[]
}

/** News of one parcel as the carrier would send it; null stands for an event that makes no sense. */
export type CallbackEvent = {
  readonly trackingId: string
  readonly carrierStatus: string
  readonly at: string
  readonly eventId: string
} | null

/** The other side of a carrier: its sandbox, a simulator, or recordings. What is missing is skipped. */
export interface Rig {
  /** Where declared hosts are answered here, where they are answered at all. */
  readonly origins?: Readonly<Record<string, string>>
  /** Values that work, as a person would type them. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** A connection; with fresh memory unless one is given. */
  open(options?: DeskOptions): Desk
  /** A parcel that the carrier takes, with a reference of its own. */
  shipment(change?: Partial<Shipment>): Shipment
  /** One that the carrier itself declines. */
  refusable?(): Shipment
  /** Makes the other side misbehave for the parcel given; returns the parcel to send. */
  readonly faults: Partial<Readonly<Record<Fault, (shipment: Shipment) => Shipment>>>
  /** Makes every read answer something that cannot be read. */
  garbleReads?(): void
  /** Ends all misbehaviour. */
  calm(): void
  /** Tracking numbers that the carrier really has under a reference. */
  parcelsOf(desk: Desk, reference: string): Promise<readonly string[]>
  /** Moves a parcel at the carrier. */
  advance(desk: Desk, trackingId: string, carrierStatus: string, at?: string): Promise<void>
  /** The raw status of a delivered parcel, of one that moves, and one that no table knows. */
  readonly raw: { readonly delivered: string; readonly moving: string; readonly unknown: string }
  callback?(events: readonly CallbackEvent[]): Promise<InboundRequest>
  /** These bytes, rightly signed. */
  signed?(body: Uint8Array): Promise<InboundRequest>
  challenge?(token: string): InboundRequest
  /** Puts the money of a delivered parcel into a payout. */
  pay?(desk: Desk, trackingId: string, payoutId: string): Promise<void>
  /** Ends the other side. */
  close?(): unknown
}
