import { CodeChallengeMethod, generateState, OAuth2Client } from 'arctic'
import type { SocialAdapter } from '../../../../plugins/social/members.ts'

/** What a sign-in at a provider is begun with. */
export interface Asking {
  /** With the settings that it names in its place. */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly verifier: string
  readonly nonce: string
  readonly hexChallenge: boolean
}

/** A text that nobody guesses. */
export const newState = generateState

/**
 * Where the person's browser goes. Tokens are not asked for by this client: it would ask past the way out, without a deadline or a limit of
 * what is answered.
 */
export function addressFor(
  adapter: SocialAdapter,
  { authorizeUrl, clientId, redirectUri, state, verifier, nonce, hexChallenge }: Asking,
): string {
  const { pkce, scopes, scopeSeparator, clientIdName, responseMode, identityToken } = adapter
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
