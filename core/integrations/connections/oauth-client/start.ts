import type { OAuth } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { codesOf, openAnyConnection } from '../connection.ts'
import type { ConnectionRow } from '../connections.queries.ts'
import { type Client, clientOf, mayVisit } from './client.ts'
import { forgetStates, insertState } from './oauth.queries.ts'

const MINUTES = 10
const STATE = 'os'

/** Whether a state was made for a sign-in, and for nothing else. */
export const isOfSignIn = (state: string): boolean => state.startsWith(STATE)

interface Beginning {
  /** Who asks: only the same may come back with a credential. */
  readonly begunBy: string
  /** Where the other side sends the browser back to, exactly. */
  readonly redirectUri: string
  readonly returnTo: string | null
}

/** Begins a sign-in at the other side. Gives the address that the person's browser goes to. */
export async function startSignIn(context: Context, row: ConnectionRow, beginning: Beginning): Promise<string> {
  const connection = openAnyConnection(context, row)
  const { label, oauth } = connection.mounted.adapter
  if (!oauth) throw new ApiError('not_found', `Nobody signs in at ${label}: it is connected by its credentials alone.`)
  const client = await clientOf(context, connection)
  if (!client)
    throw new ApiError(
      codesOf(row.kind).off,
      `There is no client to sign in at ${label} with. Type in the store's own, or let an administrator PUT /v1/platform/integrations/${row.key}.`,
    )
  if (!mayVisit(context, connection, client.authorizeUrl))
    throw new ApiError('invalid_integration_fields', `${client.authorizeUrl} is no address of ${label}. Correct what it is made of.`)
  const state = newToken(STATE)
  await forgetStates(context.sql)
  await insertState(context.sql, { digest: sha256(state), connectionId: row.id, ...beginning }, MINUTES)
  return addressOf(client, state, beginning.redirectUri, verifierOf(context, state))
}

/** What proves that the code is ours (RFC 7636): nobody who sees the state can tell it, and it is kept nowhere. */
export const verifierOf = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`oauth verifier ${state}`)

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

function addressOf({ oauth, id, authorizeUrl }: Client, state: string, redirectUri: string, verifier: string): string {
  const { names = {}, parameters, pkce = true } = oauth
  const url = new URL(authorizeUrl)
  const said = {
    ...parameters?.authorize,
    response_type: 'code',
    [names.clientId ?? 'client_id']: id,
    redirect_uri: redirectUri,
    state,
    ...(pkce && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
  sayScopes(url, oauth)
  return url.href
}

/** All in one, or one after another where the parameter is a list (`scope[]`). */
function sayScopes(url: URL, { scopes, scopeSeparator = ' ', names: { scope: name = 'scope' } = {} }: OAuth) {
  const said = name.endsWith('[]') ? scopes : scopes.length > 0 ? [scopes.join(scopeSeparator)] : []
  for (const scope of said) url.searchParams.append(name, scope)
}
