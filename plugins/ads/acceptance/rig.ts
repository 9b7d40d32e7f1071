import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { PixelEvent } from '../events.model.ts'
import type { Campaign, Insight } from '../model.ts'

/**
 * Faults of the simulator: it never answers (`ignored`), answers 500, half an answer (`malformed`), or one without meaning (`mumbled`). It
 * may also report a used-up quota or a rejected token, in the platform's own way.
 */
export type Fault = 'ignored' | 'error' | 'malformed' | 'mumbled' | 'rate_limited' | 'unauthorized'

/** Members whose calls can be made to fail. */
export type CalledMember = 'campaigns' | 'insights' | 'sendEvents'

/** An event as the platform received it. Hashed values are as they came. */
export interface SeenEvent {
  readonly id: string
  readonly name: string
  /** Seconds since 1970. */
  readonly at: number
  readonly email: string | null
  readonly phone: string | null
  readonly externalId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly value: number | null
  readonly currency: string | null
  readonly orderId: string | null
  /** Contents, as far as the event has them. */
  readonly contents: readonly { readonly id: string; readonly quantity: number; readonly price: number | null }[]
  /** Click id and the time of the click in milliseconds since 1970; null if the platform has no field for it. */
  readonly clickId: string | null
  readonly clickedAt: number | null
  /** Hashed; null if the platform has no field for it. */
  readonly country: string | null
  /** Code of the test view. */
  readonly testCode: string | null
  /** Number of the request that it came in, counting all accepted requests. */
  readonly request: number
}

/** Simulator of an advertising platform, its sandbox, or recordings. */
export interface Rig {
  /** Valid credentials, as a user enters them, and a token as the host fills it in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** An account with its campaigns, and the insights of its ads between the first and the last of these days. */
  readonly account: {
    readonly id: string
    readonly currency: string
    readonly timeZone: string
    readonly campaigns: readonly Pick<Campaign, 'id' | 'name' | 'state' | 'dailyBudget'>[]
    readonly insights: readonly Omit<Insight, 'adName' | 'campaignName'>[]
    /** Destination of its first ad; null if the platform does not tell. */
    readonly url: string | null
  }
  /** An ad of another account that the signed-in user may read, if the platform reads ads by id alone. */
  readonly adOfOthers?: string
  /** A campaign of another account that the signed-in user may read, with an ad set and an ad. */
  readonly campaignOfOthers?: string
  readonly pixelId: string
  /** Form of a phone number before it is hashed. */
  readonly phone: 'digits' | 'plus'
  /** Changes an event so that the platform rejects it, and the whole request with it. */
  spoiled(event: PixelEvent): PixelEvent
  /** Returns the events of all requests; an event that was sent twice is in the list twice. */
  seen(): Promise<readonly SeenEvent[]>
  calls(): Promise<readonly SeenCall[]>
  /** Patterns over `METHOD /path` of the calls of each member. */
  readonly patterns: Readonly<Record<CalledMember, string>>
  fail(fault: Fault, calls: string): void
  calm(): void
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  close?(): unknown
}
