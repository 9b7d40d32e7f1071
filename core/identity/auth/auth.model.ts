import { type Static, Type as T } from '@sinclair/typebox'
import { languages } from '../../http/pages/language.ts'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

export const Name = Text(120, 1)
export const Email = T.String({ format: 'email', maxLength: 254 })
export const Password = T.String({ minLength: 8, maxLength: 200, description: 'at least 8 characters' })

export const User = named(
  'User',
  T.Object({
    id: Id,
    name: T.String(),
    email: T.String(),
    emailVerified: T.Boolean(),
    isAdmin: T.Boolean(),
    language: Nullable(oneOf(languages), { description: "of mails to this person; null: the server's" }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type User = Static<typeof User>

export const SignUp = named('SignUp', exact({ name: Name, email: Email, password: Password }))
export type SignUp = Static<typeof SignUp>

export const SecondFactorField = T.Optional(
  T.String({
    minLength: 6,
    maxLength: 40,
    description: 'of whoever has a second factor: a code of the authenticator app, or a recovery code',
  }),
)
export const SignIn = named(
  'SignIn',
  exact({ email: T.String({ maxLength: 254 }), password: T.String({ maxLength: 200 }), secondFactor: SecondFactorField }),
)
export type SignIn = Static<typeof SignIn>

export const SignedIn = named(
  'SignedIn',
  T.Object({ user: User, token: T.String({ description: 'st_…: the credential of every later request' }) }),
)
export type SignedIn = Static<typeof SignedIn>

export const UserChange = named(
  'UserChange',
  exact(
    {
      name: T.Optional(Name),
      email: T.Optional(Email),
      password: T.Optional(Password),
      language: T.Optional(oneOf(languages, { description: 'of mails to you' })),
      currentPassword: T.Optional(T.String({ maxLength: 200, description: 'required to change e-mail or password' })),
    },
    { minProperties: 1 },
  ),
)
export type UserChange = Static<typeof UserChange>

export const means = ['password', 'code', 'passkey', 'social', 'admin'] as const
export type Means = (typeof means)[number]

export const SessionToken = named(
  'SessionToken',
  T.Object({
    id: Id,
    userAgent: T.String(),
    device: T.String({
      description: 'the program and the system, as the user agent says: "Firefox on Android"; "unknown" where it does not',
    }),
    place: T.String({
      description: 'the network that it was opened from, without its last part; "unknown" of what is not on the public internet',
    }),
    means: oneOf(means, { description: 'how it was opened; "admin": by an administrator of the platform in your name' }),
    current: T.Boolean({ description: 'the token of this very request' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
