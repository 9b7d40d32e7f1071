import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, Timestamp } from '../../http/schema.ts'
import { SecondFactorField, SignIn, User } from '../../identity/auth/auth.model.ts'
import { PasskeyAuthentication } from '../../identity/passkeys/passkeys.model.ts'

/** Sign-in with the ticket of a redirect to a social provider. */
const SocialTicket = exact({
  provider: Id,
  ticket: T.String({ minLength: 1, maxLength: 100 }),
  verifier: T.String({ minLength: 43, maxLength: 128 }),
  secondFactor: SecondFactorField,
})

/** Sign-in with the token of a link that the operator of the server made. */
const SignInLink = exact({ token: T.String({ minLength: 1, maxLength: 100 }), secondFactor: SecondFactorField })

/** Body of a sign-in to the console, with exactly one of its means. */
export const ConsoleSignIn = named(
  'ConsoleSignIn',
  exact({
    isOwnDevice: T.Boolean({ description: 'true: the session lasts 90 days; false: 12 hours, and until the browser closes' }),
    password: T.Optional(SignIn),
    passkey: T.Optional(PasskeyAuthentication),
    social: T.Optional(SocialTicket),
    link: T.Optional(SignInLink),
  }),
)
/** Type of {@link ConsoleSignIn}. */
export type ConsoleSignIn = Static<typeof ConsoleSignIn>

/** Response to a sign-in to the console. It contains no token: the cookie is the credential. */
export const ConsoleSession = named('ConsoleSession', T.Object({ user: User }))

/** Response to the start of acting as a user. */
export const ActingStarted = named('ActingStarted', T.Object({ user: User, expiresAt: Timestamp }))

/** Response to the end of acting as a user. */
export const ActingStopped = named(
  'ActingStopped',
  T.Object({ isSignedIn: T.Boolean({ description: 'false: the own session of the administrator has ended too' }) }),
)
