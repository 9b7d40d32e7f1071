import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { Campaign, Insight, PixelEvent } from '../model.ts'

/**
 * How the other side can misbehave: it never answers; it answers 500, half of an answer, or one that says nothing; its quota is used up, or
 * it does not take the token any more, each in the platform's own way.
 */
export type Fault = 'ignored' | 'error' | 'malformed' | 'mumbled' | 'rate_limited' | 'unauthorized'

/** The members whose calls can be made to fail. */
export type Asked = 'campaigns' | 'insights' | 'sendEvents'

/** An event as the platform has it. What was hashed stands as it came. */
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
  /** What was bought, as far as it is told. */
  readonly contents: readonly { readonly id: string; readonly quantity: number; readonly price: number | null }[]
  /** The click that led there, and when it was, in milliseconds since 1970; null where that has no place. */
  readonly clickId: string | null
  readonly clickedAt: number | null
  /** As it stands hashed; null where it has no place. */
  readonly country: string | null
  /** The code that it was tested with. */
  readonly testCode: string | null
  /** Which request it came in, of all that were taken. */
  readonly request: number
}

/** The other side of a platform: its sandbox, a simulator, or recordings. */
export interface Rig {
  /** Values that work, as a person would type them, and a token as the host fills it in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** An account, what it has, and what its ads did on the days from the first of these to the last. */
  readonly account: {
    readonly id: string
    readonly currency: string
    readonly timeZone: string
    readonly campaigns: readonly Pick<Campaign, 'id' | 'name' | 'state' | 'dailyBudget'>[]
    readonly insights: readonly Omit<Insight, 'adName' | 'campaignName'>[]
    /** Where the first of its ads leads; null where the platform does not say. */
    readonly url: string | null
  }
  /** An ad of another account that whoever signed in may read, where an ad is asked for by its id alone. */
  readonly adOfOthers?: string
  /** A campaign of another account that whoever signed in may read, with an ad set and an ad. */
  readonly campaignOfOthers?: string
  readonly pixelId: string
  /** How a telephone number stands before it is hashed. */
  readonly phone: 'digits' | 'plus'
  /** The same event, which the platform refuses, and the whole request with it. */
  spoiled(event: PixelEvent): PixelEvent
  /** What it has of events, each request as it came: a repeated one stands twice. */
  seen(): Promise<readonly SeenEvent[]>
  calls(): Promise<readonly SeenCall[]>
  /** The calls of members, as patterns over `METHOD /path`. */
  readonly patterns: Readonly<Record<Asked, string>>
  fail(fault: Fault, calls: string): void
  calm(): void
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  close?(): unknown
}
