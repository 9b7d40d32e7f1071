import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { Granted } from '../model.ts'

/** A person at the provider, as it is made there. */
export interface Account {
  readonly subject: string
  readonly email?: string
  /** Left out, the provider says nothing of it. */
  readonly emailVerified?: boolean
  readonly name?: string
}

/**
 * How the other side can misbehave: it never answers, it answers 500, half of an answer, or one that says nothing.
 */
export type Fault = 'ignored' | 'error' | 'malformed' | 'mumbled'

/** What an app may be given, or may claim to have been: its own, one that is over, one that another app was given. */
export type TokenOf = 'own' | 'over' | 'other'

/** The other side of a provider. What may be missing may be so only where the definition says that there is no such thing. */
export interface Rig {
  /** Values that work, as a person would type them. */
  readonly credentials: Readonly<Record<string, unknown>>
  /** Needed of a provider with `testConnection`: those that it tells to be wrong. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** What the host has of somebody who signs in for the first time. The token has to be looked up at the provider, or stands in the claims. */
  granted(account: Account): Promise<Granted>
  /** What leads back to us once the person said yes to what the address asked, from the answer of the provider. */
  ledBack(answer: Response): Promise<URLSearchParams>
  /** What it tells of a person, of all that it could. */
  readonly tells: { readonly email: boolean; readonly verified: boolean; readonly name: boolean }
  /** Needed where somebody is looked up at the provider: what it does not take any more. */
  revoked?(): Promise<Granted>
  /** Needed of a provider with `verifyToken`. */
  appToken?(account: Account, of: TokenOf): Promise<string>
  /** Whether the other side takes it. Needed of a provider with `clientSecret`. */
  takesSecret?(secret: string): Promise<boolean>
  /** Needed where anything is asked of the other side. */
  fail?(fault: Fault): void
  calm(): void
  seen(): Promise<readonly SeenCall[]>
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  close?(): unknown
}
