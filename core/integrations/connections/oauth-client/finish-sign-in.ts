import type { SignedReturn } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { constantTimeEqual, hmacSha256, sha256 } from '../../../lib/crypto/crypto.ts'
import { toStorableText } from '../../../lib/redact.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { type Connection, openAnyConnection } from '../connection.ts'
import { connectionErrors } from '../connections.errors.ts'
import { findConnection, lockAndFindConnection, updateConnection } from '../connections.queries.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { testNowOrLater } from '../health/test-later.ts'
import { type AuthorizationState, canConnectStore, consumeState, upsertTokens } from './oauth.queries.ts'
import { findOAuthClient, type OAuthClient, signInKeyOf } from './oauth-client.ts'
import { revokeTokens } from './sign-out.ts'
import { verifierOf } from './start-sign-in.ts'
import { requestTokens } from './token-request.ts'
import { type IssuedTokens, sealTokens } from './tokens.ts'

/** Result of a sign-in at a provider. */
export interface SignInResult {
  readonly outcome: 'connected' | 'denied' | 'failed'
  readonly label: string
  /** Name of the store that owns the connection. */
  readonly storeName: string
  readonly connectionId: string
  readonly key: string
  readonly returnTo: string | null
  /** Reason of a failure, or null. */
  readonly message: string | null
}

const WORDS_MAX = 300

/**
 * Completes a sign-in when the browser returns from the provider. Consumes the state, whatever the outcome. `caller` is the authenticated
 * caller, if any. Throws a validation error if the state is unknown, used, expired or another user's.
 */
export async function finishSignIn(context: Context, query: URLSearchParams, caller: string | null): Promise<SignInResult> {
  const state = query.get('state') ?? ''
  const begun = state === '' ? undefined : await consumeState(context.sql, sha256(state), caller)
  if (!begun) throw connectionErrors.signInInvalid({ field: ['state'] })
  const row = await findConnection(context.sql, { projectId: begun.projectId, id: begun.connectionId })
  if (!row) throw connectionErrors.connectionGone({ field: ['state'] })
  const connection = openAnyConnection(context, row)
  const { label } = connection.mounted.adapter
  const storeName = (await findStore(context.sql, row.storeId))?.name ?? ''
  const result = { label, storeName, connectionId: row.id, key: row.key, returnTo: begun.returnTo }
  const refusal = query.get('error')
  if (refusal !== null) {
    const message = toStorableText(query.get('error_description') || refusal, WORDS_MAX)
    return { ...result, outcome: refusal === 'access_denied' ? 'denied' : 'failed', message }
  }
  try {
    await exchangeAndStoreTokens(context, connection, begun, state, query)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    return { ...result, outcome: 'failed', message: error.message }
  }
  const tested = await testNowOrLater(context, row)
  return { ...result, outcome: tested?.ok === false ? 'failed' : 'connected', message: tested?.message ?? null }
}

async function exchangeAndStoreTokens(
  context: Context,
  connection: Connection,
  { begunBy, redirectUri }: AuthorizationState,
  state: string,
  query: URLSearchParams,
): Promise<void> {
  const { id, projectId } = connection.row
  const client = await findOAuthClient(context, connection)
  const code = query.get(client?.oauth.names?.code ?? 'code')
  const { signed } = client?.oauth ?? {}
  if (signed) assertSignedReturn(signed, query, { secret: client?.secret ?? '', settings: connection.row.settings, now: Date.now() })
  if (!client || !code) throw new AdapterFailure('refused', 'The provider returned no code.', { wasSent: false })
  if (!(await canConnectStore(context.sql, connection.row, begunBy)))
    throw new AdapterFailure('refused', 'The user who started this sign-in may no longer connect the store.', { wasSent: false })
  const tokens = await exchangeCode(context, connection, client, code, redirectUri, verifierOf(context, state))
  const sealed = sealTokens(context, id, tokens)
  const isStored = await transaction(context.sql, async (tx) => {
    const now = await lockAndFindConnection(tx, connection.row)
    if (!now || signInKeyOf(openAnyConnection(context, now)) !== signInKeyOf(connection)) return false
    await upsertTokens(tx, now, sealed)
    await clearAttention(tx, now)
    await updateConnection(tx, now, { status: 'untested', statusMessage: null })
    await publish(tx, 'connection.signed_in', { projectId, connectionId: id })
    return true
  })
  if (isStored) return
  await revokeTokens(context, connection, sealed.sealed)
  throw new AdapterFailure('refused', 'The connection was deleted or changed during the sign-in. Start again.', { wasSent: true })
}

/** Exchanges the code for tokens, and short-lived tokens for lasting ones if the provider requires that. */
async function exchangeCode(
  context: Context,
  connection: Connection,
  client: OAuthClient,
  code: string,
  redirectUri: string,
  verifier: string,
): Promise<IssuedTokens> {
  const { pkce = true, exchange } = client.oauth
  const url = client.tokenUrl
  const first = await requestTokens(context, connection, client, {
    operation: 'oauth.code',
    url,
    parameters: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...(pkce && { code_verifier: verifier }) },
    secrets: [code, verifier],
  })
  if (!exchange) return first
  return requestTokens(context, connection, client, {
    operation: 'oauth.exchange',
    url,
    parameters: { grant_type: exchange.grant, [exchange.parameter]: first.accessToken },
    secrets: [first.accessToken],
  })
}

interface Expected {
  readonly secret: string
  /** Settings that the user entered. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly now: number
}

/** Verifies the signature of the callback. Throws `refused` if it is invalid, outside its time, or made for another shop. */
function assertSignedReturn(signed: SignedReturn, query: URLSearchParams, { secret, settings, now }: Expected): void {
  const { parameter, except = [], time, seconds, of } = signed
  const signedParameters = new URLSearchParams([...query].filter(([name]) => name !== parameter && !except.includes(name)))
  signedParameters.sort()
  const refuse = (why: string) => new AdapterFailure('refused', why, { wasSent: false })
  if (secret === '' || !constantTimeEqual(hmacSha256(secret, signedParameters.toString()), query.get(parameter) ?? ''))
    throw refuse('The callback is not signed by the provider.')
  if (!(Math.abs(now / 1000 - Number(query.get(time) ?? Number.NaN)) <= seconds)) throw refuse('The signature of the callback has expired.')
  if (of && query.get(of.parameter) !== settings[of.setting]) throw refuse('The callback is signed for another account.')
}
