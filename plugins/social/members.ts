import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, one, required } from '../member.ts'
import { exact, Maybe, oneOf, Printed } from '../schema.ts'
import { AppToken, Granted, Profile } from './model.ts'

/** The version of this contract. */
export const CONTRACT = 1

/** `{version}` in an address stands for the setting of that name. */
const Address = T.String({ pattern: '^https://[^\\s]{1,500}$' })
const ParameterName = T.String({ pattern: '^[a-z][\\w.-]{0,59}$' })

/** The constants of a provider. */
export const definition = {
  authorizeUrl: Address,
  tokenUrl: Address,
  /**
   * Where the provider wants to hear that a sign-in is not needed any more (RFC 7009). What it gave to renew tokens with is kept for that, and
   * for nothing else.
   */
  revokeUrl: Maybe(Address),
  scopes: T.Array(Printed(200, 1), { maxItems: 20 }),
  /** A space unless said. */
  scopeSeparator: Maybe(Printed(1, 1)),
  /** The answer comes as a form that the provider's page sends, and not in the address. */
  responseMode: Maybe(oneOf(['form_post'])),
  /** Whether the code is proven (RFC 7636). The setting `challenge`, where an adapter has it, says how the challenge is written: `base64url`, `hex`. */
  pkce: oneOf(['S256', 'none']),
  /** How `client_id` is called, if otherwise. */
  clientIdName: Maybe(ParameterName),
  /** It signs who somebody is (OpenID Connect). The host holds the signature against its keys, and asks for the client ids as audience. */
  identityToken: Maybe(
    exact({
      keysUrl: Address,
      issuers: T.Array(Printed(200, 1), { minItems: 1, maxItems: 5 }),
      algorithms: T.Array(oneOf(['RS256', 'ES256']), { minItems: 1 }),
      /** The setting that turns it on; always on unless named. */
      setting: Maybe(Printed(60, 1)),
    }),
  ),
}

/** What a provider can be asked. */
export const members = {
  testConnection: one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB }),
  /** Who it is that came. Throws `refused` where the provider does not take the token. */
  profile: required(one([Granted], Profile, { bytes: 16 * KIB })),
  /** Who an app's token is of, which the provider gave to this client and to no other. Throws `refused` where it is none. */
  verifyToken: one([AppToken], Profile, { bytes: 16 * KIB }),
  /** The secret, of a provider that wants one signed anew; else it is the credential `clientSecret`. */
  clientSecret: one([], T.String({ minLength: 1, maxLength: 4_096 }), { bytes: 8 * KIB }),
}

export type SocialAdapter = Derived<typeof definition, typeof members>
