import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Email, Name, SecondFactorField, User } from '../auth/auth.model.ts'

export type { Profile } from '../../../plugins/social/model.ts'

/** Path parameters with the slug of a provider. */
export const ProviderParams = T.Object({
  provider: T.String({ minLength: 1, maxLength: 60, description: 'slug of the provider, such as google' }),
})

const ReturnTo = Text(2_000, 1)
const Challenge = T.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'the SHA-256, in base64url, of the verifier that is sent with the ticket',
})

/** Query of the redirect to a provider. */
export const RedirectQuery = T.Object({
  returnTo: Maybe({
    ...ReturnTo,
    description: 'address to continue to, with #provider=…&ticket=… or #error=…; one of the returnAddresses of the provider',
  }),
  challenge: Maybe(Challenge),
})

/** Response to the start of a link. */
export const LinkStart = named(
  'SocialLinkBegun',
  T.Object({ url: T.String({ description: 'address to which the browser of the user must go' }), expiresAt: Timestamp }),
)

const Nonce = T.String({
  minLength: 1,
  maxLength: 200,
  description: 'the nonce that the app sent to the provider; required if the token contains one',
})
const Link = T.Boolean({ description: 'link the account at the provider to the signed-in user, instead of signing in' })

/** Optional values that a sign-in may need. */
const signInValues = {
  secondFactor: SecondFactorField,
  email: Maybe({ ...Email, description: 'e-mail address of a new account if the provider sends none; it must be confirmed' }),
  name: Maybe({ ...Name, description: 'name of a new account if the provider sends none' }),
}

/** Body of a sign-in with a token that the provider gave to an app. */
export const SocialTokenInput = named(
  'SocialToken',
  exact({
    token: T.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'token that the provider gave to the app: an ID token, or an access token of Facebook',
    }),
    nonce: Maybe(Nonce),
    link: Maybe(Link),
    ...signInValues,
  }),
)
/** Type of {@link SocialTokenInput}. */
export type SocialTokenInput = Static<typeof SocialTokenInput>

/** Body of a sign-in with a ticket or with a code. */
export const SocialCodeInput = named(
  'SocialCode',
  exact(
    {
      ticket: Maybe(Text(100, 1)),
      verifier: Maybe(
        T.String({ minLength: 43, maxLength: 128, description: 'verifier of the challenge with which the sign-in was started' }),
      ),
      code: Maybe(T.String({ minLength: 1, maxLength: 4_000, description: 'code that the provider gave to the app, instead of a ticket' })),
      redirectUri: Maybe({ ...ReturnTo, description: 'redirect URI of the code; one of the returnAddresses' }),
      codeVerifier: Maybe(
        T.String({ minLength: 43, maxLength: 128, description: 'verifier of the challenge that the app sent to the provider' }),
      ),
      nonce: Maybe(Nonce),
      link: Maybe(Link),
      ...signInValues,
    },
    { minProperties: 1, description: 'either the ticket from a redirect, or a code that the provider gave to the app' },
  ),
)
/** Type of {@link SocialCodeInput}. */
export type SocialCodeInput = Static<typeof SocialCodeInput>

/** Response to a social sign-in or link. */
export const SocialSignInResponse = named(
  'SocialSignedIn',
  T.Object({
    outcome: oneOf(['signed_in', 'signed_up', 'linked']),
    user: User,
    token: Nullable(T.String(), { description: 'st_…: token of the new session; null when a sign-in was linked' }),
  }),
)
/** Type of {@link SocialSignInResponse}. */
export type SocialSignInResponse = Static<typeof SocialSignInResponse>

/** Body of the request that removes a sign-in. */
export const UnlinkInput = named('SocialUnlink', exact({ provider: T.String({ minLength: 1, maxLength: 60 }) }))
