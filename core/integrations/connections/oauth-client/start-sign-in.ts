import type { OAuth } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notEnabledError, openAnyConnection } from '../connection.ts'
import { connectionErrors, notEnabledSentences } from '../connections.errors.ts'
import type { ConnectionRow } from '../connections.queries.ts'
import { deleteExpiredStates, insertAuthorizationState } from './oauth.queries.ts'
import { canRedirectTo, findOAuthClient, type OAuthClient } from './oauth-client.ts'

const MINUTES = 10
const STATE = 'os'

/** Returns true if a state belongs to a sign-in of a connection. */
export const isSignInState = (state: string): boolean => state.startsWith(STATE)

interface SignInStart {
  /** User or project that starts; only they may return with a credential. */
  readonly begunBy: string
  /** Address of the callback, exactly as it is registered. */
  readonly redirectUri: string
  readonly returnTo: string | null
}

/**
 * Starts a sign-in at the provider and returns the address that the user's browser must open. The state expires after ten minutes. Throws
 * if the adapter has no sign-in or there is no client.
 */
export async function startSignIn(context: Context, row: ConnectionRow, start: SignInStart): Promise<string> {
  const connection = openAnyConnection(context, row)
  const { label, oauth } = connection.mounted.adapter
  if (!oauth) throw connectionErrors.noSignIn({ label })
  const client = await findOAuthClient(context, connection)
  if (!client) throw notEnabledError(row.kind, notEnabledSentences.noClient(label, row.key))
  if (!canRedirectTo(context, connection, client.authorizeUrl))
    throw connectionErrors.authorizeUrlForeign({ authorizeUrl: client.authorizeUrl, label })
  const state = newToken(STATE)
  await deleteExpiredStates(context.sql)
  await insertAuthorizationState(context.sql, { digest: sha256(state), projectId: row.projectId, connectionId: row.id, ...start }, MINUTES)
  return addressOf(client, state, start.redirectUri, verifierOf(context, state))
}

/** Derives the PKCE code verifier of a state (RFC 7636). It is stored nowhere, and the state does not reveal it. */
export const verifierOf = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`oauth verifier ${state}`)

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

function addressOf({ oauth, id, authorizeUrl }: OAuthClient, state: string, redirectUri: string, verifier: string): string {
  const { names = {}, parameters, pkce = true } = oauth
  const url = new URL(authorizeUrl)
  const parametersSent = {
    ...parameters?.authorize,
    response_type: 'code',
    [names.clientId ?? 'client_id']: id,
    redirect_uri: redirectUri,
    state,
    ...(pkce && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parametersSent)) url.searchParams.set(name, value)
  appendScopes(url, oauth)
  return url.href
}

/** Adds the scopes, joined in one parameter, or one by one if the parameter is a list (`scope[]`). */
function appendScopes(url: URL, { scopes, scopeSeparator = ' ', names: { scope: name = 'scope' } = {} }: OAuth) {
  const values = name.endsWith('[]') ? scopes : scopes.length > 0 ? [scopes.join(scopeSeparator)] : []
  for (const scope of values) url.searchParams.append(name, scope)
}
