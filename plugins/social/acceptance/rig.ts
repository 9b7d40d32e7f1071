import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { Granted } from '../model.ts'

/** A user's account at the provider. */
export interface Account {
  readonly subject: string
  readonly email?: string
  /** If absent, the provider says nothing about it. */
  readonly emailVerified?: boolean
  readonly name?: string
}

/** Faults of the simulator: it never answers (`ignored`), answers 500, half an answer (`malformed`), or one without meaning (`mumbled`). */
export type Fault = 'ignored' | 'error' | 'malformed' | 'mumbled'

/** Tokens that an app may present: its own, an expired one, or one issued to another app. */
export type TokenOf = 'own' | 'over' | 'other'

/** Simulator of a provider, and how to connect to it. A member may be missing only if the definition does not need it. */
export interface Rig {
  /** Valid credentials, as a user enters them. */
  readonly credentials: Readonly<Record<string, unknown>>
  /** Invalid credentials. Required for a provider with `testConnection`. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /**
   * Returns what the host has after an account's first sign-in. The token must be looked up at the provider, or the claims hold everything.
   */
  granted(account: Account): Promise<Granted>
  /** Returns the parameters of the redirect back, after the user agreed on the provider's page. */
  ledBack(answer: Response): Promise<URLSearchParams>
  /** Properties of a user that it tells. */
  readonly tells: { readonly email: boolean; readonly verified: boolean; readonly name: boolean }
  /** Returns a sign-in whose token is no longer valid. Required if the adapter calls the provider. */
  revoked?(): Promise<Granted>
  /** Required for a provider with `verifyToken`. */
  appToken?(account: Account, of: TokenOf): Promise<string>
  /** Returns true if the provider accepts the secret. Required for a provider with `clientSecret`. */
  takesSecret?(secret: string): Promise<boolean>
  /** Required if the adapter calls the provider. */
  fail?(fault: Fault): void
  calm(): void
  seen(): Promise<readonly SeenCall[]>
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  close?(): unknown
}
