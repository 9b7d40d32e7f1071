import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Email, Name, SecondFactorField, User } from '../auth/auth.model.ts'

export type { Profile } from '../../../plugins/social/model.ts'

export const ByProvider = T.Object({ provider: T.String({ minLength: 1, maxLength: 60, description: 'the slug of its adapter: google' }) })

const ReturnTo = Text(2_000, 1)
const Challenge = T.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'the SHA-256, in base64url, of the verifier that is sent with the ticket',
})

export const Redirecting = T.Object({
  returnTo: Maybe({
    ...ReturnTo,
    description:
      'where the browser goes on to with #provider=…&ticket=… or #error=…: one of the returnAddresses that are entered for the provider',
  }),
  challenge: Maybe(Challenge),
})

export const Begun = named(
  'SocialLinkBegun',
  T.Object({ url: T.String({ description: 'where the person’s browser goes' }), expiresAt: Timestamp }),
)

const Nonce = T.String({
  minLength: 1,
  maxLength: 200,
  description: 'the one that the app gave the provider; needed where the token has one',
})
const Link = T.Boolean({ description: 'link it to the signed-in person, instead of signing in' })

/** What a sign-in may need besides. */
const said = {
  secondFactor: SecondFactorField,
  email: Maybe({ ...Email, description: 'of a new account, where the provider tells none; it is to be confirmed' }),
  name: Maybe({ ...Name, description: 'of a new account, where the provider tells none' }),
}

export const GivenToken = named(
  'SocialToken',
  exact({
    token: T.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'what the provider gave the app: an identity token, of Facebook an access token',
    }),
    nonce: Maybe(Nonce),
    link: Maybe(Link),
    ...said,
  }),
)
export type GivenToken = Static<typeof GivenToken>

export const GivenCode = named(
  'SocialCode',
  exact(
    {
      ticket: Maybe(Text(100, 1)),
      verifier: Maybe(T.String({ minLength: 43, maxLength: 128, description: 'of the challenge that the ticket was begun with' })),
      code: Maybe(T.String({ minLength: 1, maxLength: 4_000, description: 'what the provider gave the app itself, instead of a ticket' })),
      redirectUri: Maybe({ ...ReturnTo, description: 'where the provider sent the app back to with the code: one of the returnAddresses' }),
      codeVerifier: Maybe(T.String({ minLength: 43, maxLength: 128, description: 'of the challenge that the app gave the provider' })),
      nonce: Maybe(Nonce),
      link: Maybe(Link),
      ...said,
    },
    { minProperties: 1, description: 'a ticket that a browser came back with, or a code that the app was given itself' },
  ),
)
export type GivenCode = Static<typeof GivenCode>

export const Entered = named(
  'SocialSignedIn',
  T.Object({
    outcome: oneOf(['signed_in', 'signed_up', 'linked']),
    user: User,
    token: Nullable(T.String(), { description: 'st_… of a new session; null where a sign-in was linked' }),
  }),
)
export type Entered = Static<typeof Entered>

export const Unlinking = named('SocialUnlink', exact({ provider: T.String({ minLength: 1, maxLength: 60 }) }))
