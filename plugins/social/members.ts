import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, one, requiredMember } from '../member.ts'
import { exact, Maybe, oneOf, PrintableText } from '../schema.ts'
import { AppToken, Granted, Profile } from './model.ts'

/** Version of this contract. */
export const CONTRACT = 1

/** Address; `{version}` in it stands for the setting of that name. */
const Address = T.String({ pattern: '^https://[^\\s]{1,500}$' })
const ParameterName = T.String({ pattern: '^[a-z][\\w.-]{0,59}$' })

/** Constants of a provider. */
export const definition = {
  authorizeUrl: Address,
  tokenUrl: Address,
  /** Revocation endpoint for sign-ins that are no longer needed (RFC 7009). The refresh token is stored only for that purpose. */
  revokeUrl: Maybe(Address),
  scopes: T.Array(PrintableText(200, 1), { maxItems: 20 }),
  /** A space by default. */
  scopeSeparator: Maybe(PrintableText(1, 1)),
  /** Set if the response is a form that the provider's page submits, instead of query parameters. */
  responseMode: Maybe(oneOf(['form_post'])),
  /**
   * Proof of the authorization code (RFC 7636). The optional setting `challenge` selects the encoding of the challenge: `base64url` or
   * `hex`.
   */
  pkce: oneOf(['S256', 'none']),
  /** Name of the parameter `client_id`, if the provider uses another. */
  clientIdName: Maybe(ParameterName),
  /**
   * Signed identity token (OpenID Connect). The host verifies its signature with the provider's keys, and requires one of the client ids as
   * audience.
   */
  identityToken: Maybe(
    exact({
      keysUrl: Address,
      issuers: T.Array(PrintableText(200, 1), { minItems: 1, maxItems: 5 }),
      algorithms: T.Array(oneOf(['RS256', 'ES256']), { minItems: 1 }),
      /** Name of the setting that enables it; always enabled without one. */
      setting: Maybe(PrintableText(60, 1)),
    }),
  ),
}

/** Functions of a provider, with the schemas of their arguments and results. */
export const members = {
  testConnection: one([], T.Object({ account: Maybe(PrintableText(500)) }), { bytes: 4 * KIB }),
  /** Returns the user who signed in. Throws `refused` if the provider rejects the token. */
  profile: requiredMember(one([Granted], Profile, { bytes: 16 * KIB })),
  /** Returns the user of an app's token, which the provider must have issued to this client. Throws `refused` if it is not such a token. */
  verifyToken: one([AppToken], Profile, { bytes: 16 * KIB }),
  /** Returns the client secret, for a provider that requires a freshly signed one; otherwise the credential `clientSecret` is used. */
  clientSecret: one([], T.String({ minLength: 1, maxLength: 4_096 }), { bytes: 8 * KIB }),
}

/** Adapter of a provider. */
export type SocialAdapter = DerivedAdapter<typeof definition, typeof members>
