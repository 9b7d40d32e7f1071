import type { SocialAdapter } from '../../../../plugins/social/members.ts'
import { lazy } from '../../../lib/lazy.ts'

const arctic = lazy(() => require('arctic') as typeof import('arctic'))

/** Parameters of an authorization URL. */
export interface AuthorizationUrlOptions {
  /** Authorization endpoint, with the settings filled in. */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly verifier: string
  readonly nonce: string
  readonly hexChallenge: boolean
}

/** Generates a random state. */
export const newState = () => arctic().generateState()

/**
 * Builds the authorization URL of a provider. The OAuth client of `arctic` is not used to fetch tokens, because it bypasses egress,
 * deadlines and size limits.
 */
export function buildAuthorizationUrl(
  adapter: SocialAdapter,
  { authorizeUrl, clientId, redirectUri, state, verifier, nonce, hexChallenge }: AuthorizationUrlOptions,
): string {
  const { pkce, scopes, scopeSeparator, clientIdName, responseMode, identityToken } = adapter
  const { CodeChallengeMethod, OAuth2Client } = arctic()
  const client = new OAuth2Client(clientId, null, redirectUri)
  const url =
    pkce === 'S256'
      ? client.createAuthorizationURLWithPKCE(authorizeUrl, state, CodeChallengeMethod.S256, verifier, [...scopes])
      : client.createAuthorizationURL(authorizeUrl, state, [...scopes])
  const { searchParams } = url
  if (scopeSeparator !== undefined) searchParams.set('scope', scopes.join(scopeSeparator))
  if (responseMode !== undefined) searchParams.set('response_mode', responseMode)
  if (identityToken) searchParams.set('nonce', nonce)
  if (hexChallenge) searchParams.set('code_challenge', Buffer.from(searchParams.get('code_challenge') ?? '', 'base64url').toString('hex'))
  if (clientIdName !== undefined) {
    searchParams.delete('client_id')
    searchParams.set(clientIdName, clientId)
  }
  return url.href
}
