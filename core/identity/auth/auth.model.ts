import { type Static, Type as T } from '@sinclair/typebox'
import { languages } from '../../http/pages/language.ts'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

/** Display name of a user. */
export const Name = Text(120, 1)
/** E-mail address of a user. */
export const Email = T.String({ format: 'email', maxLength: 254 })
/** Password that a user chooses. */
export const Password = T.String({ minLength: 8, maxLength: 200, description: 'at least 8 characters' })

/** User account as the API shows it. */
export const User = named(
  'User',
  T.Object({
    id: Id,
    name: T.String(),
    email: T.String(),
    emailVerified: T.Boolean(),
    isAdmin: T.Boolean(),
    language: Nullable(oneOf(languages), { description: "language of mails to this user; null: the server's default" }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link User}. */
export type User = Static<typeof User>

/** Body of a sign-up request. */
export const SignUp = named('SignUp', exact({ name: Name, email: Email, password: Password }))
/** Type of {@link SignUp}. */
export type SignUp = Static<typeof SignUp>

/** Optional field for the second factor, in requests that check the password. */
export const SecondFactorField = T.Optional(
  T.String({
    minLength: 6,
    maxLength: 40,
    description: 'required when the account has a second factor: a code of the authenticator app, or a recovery code',
  }),
)
/** Body of a sign-in request with a password. */
export const SignIn = named(
  'SignIn',
  exact({ email: T.String({ maxLength: 254 }), password: T.String({ maxLength: 200 }), secondFactor: SecondFactorField }),
)
/** Type of {@link SignIn}. */
export type SignIn = Static<typeof SignIn>

/** Response to a sign-in: the user and the token of the new session. */
export const SignInResult = named(
  'SignedIn',
  T.Object({ user: User, token: T.String({ description: 'st_…: the credential of every later request' }) }),
)
/** Type of {@link SignInResult}. */
export type SignInResult = Static<typeof SignInResult>

/** Body of the request by which users change their own account. */
export const UserChange = named(
  'UserChange',
  exact(
    {
      name: T.Optional(Name),
      email: T.Optional(Email),
      password: T.Optional(Password),
      language: T.Optional(oneOf(languages, { description: 'language of mails to you' })),
      currentPassword: T.Optional(T.String({ maxLength: 200, description: 'required to change e-mail or password' })),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link UserChange}. */
export type UserChange = Static<typeof UserChange>

/** Ways in which a session can be opened. */
export const sessionMethods = ['password', 'code', 'passkey', 'social', 'admin'] as const
/** Way in which a session was opened. */
export type SessionMethod = (typeof sessionMethods)[number]

/** Session of a user, as the list of sessions shows it. */
export const SessionToken = named(
  'SessionToken',
  T.Object({
    id: Id,
    userAgent: T.String(),
    device: T.String({
      description: 'program and system according to the user agent, such as "Firefox on Android"; "unknown" if it names none',
    }),
    place: T.String({
      description: 'network that opened the session, without its last part; "unknown" for addresses outside the public internet',
    }),
    means: oneOf(sessionMethods, { description: 'how the session was opened' }),
    current: T.Boolean({ description: 'true for the session of this request' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
