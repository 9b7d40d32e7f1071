import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { invalidValue } from '../../../http/errors/errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { toStorableText } from '../../../lib/redact.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { AdapterFailure } from '../../egress/failure.ts'
import { type Connection, openAnyConnection } from '../connection.ts'
import { findConnection, heldConnection, updateConnection } from '../connections.queries.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { testOrLater } from '../health/test-later.ts'
import { askForTokens } from './ask.ts'
import { belongingOf, type Client, clientOf } from './client.ts'
import { mayConnect, type NewState, putTokens, takeState } from './oauth.queries.ts'
import { revoke } from './sign-out.ts'
import { assertSigned } from './signed-return.ts'
import { verifierOf } from './start.ts'
import { type NewTokens, sealTokens } from './tokens.ts'

export interface Finished {
  readonly outcome: 'connected' | 'denied' | 'failed'
  readonly label: string
  /** Whose connection it is. */
  readonly storeName: string
  readonly connectionId: string
  readonly key: string
  readonly returnTo: string | null
  /** Why not. */
  readonly message: string | null
}

const WORDS_MAX = 300

/**
 * Somebody comes back from the other side's page. Their state is used up by that, whatever comes of it; `caller` is who asks, if a credential
 * says so. Throws where there is no such state now: used, too old, made up, or somebody else's.
 */
export async function finishSignIn(context: Context, query: URLSearchParams, caller: string | null): Promise<Finished> {
  const state = query.get('state') ?? ''
  const begun = state === '' ? undefined : await takeState(context.sql, sha256(state), caller)
  if (!begun) throw invalidValue('/query/state', 'This sign-in was used, is too old, or was begun by somebody else. Begin again.')
  const row = await findConnection(context.sql, begun.connectionId)
  if (!row) throw invalidValue('/query/state', 'The connection is not there any more.')
  const connection = openAnyConnection(context, row)
  const { label } = connection.mounted.adapter
  const storeName = (await findStore(context.sql, row.storeId))?.name ?? ''
  const come = { label, storeName, connectionId: row.id, key: row.key, returnTo: begun.returnTo }
  const refusal = query.get('error')
  if (refusal !== null) {
    const message = toStorableText(query.get('error_description') || refusal, WORDS_MAX)
    return { ...come, outcome: refusal === 'access_denied' ? 'denied' : 'failed', message }
  }
  try {
    await takeTokens(context, connection, begun, state, query)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    return { ...come, outcome: 'failed', message: error.message }
  }
  const tested = await testOrLater(context, row)
  return { ...come, outcome: tested?.ok === false ? 'failed' : 'connected', message: tested?.message ?? null }
}

async function takeTokens(
  context: Context,
  connection: Connection,
  { begunBy, redirectUri }: NewState,
  state: string,
  query: URLSearchParams,
): Promise<void> {
  const { id } = connection.row
  const client = await clientOf(context, connection)
  const code = query.get(client?.oauth.names?.code ?? 'code')
  const { signed } = client?.oauth ?? {}
  if (signed) assertSigned(signed, query, { secret: client?.secret ?? '', settings: connection.row.settings, now: Date.now() })
  if (!client || !code) throw new AdapterFailure('refused', false, 'It came back without a code.')
  if (!(await mayConnect(context.sql, id, begunBy)))
    throw new AdapterFailure('refused', false, 'Whoever began this may not connect the store any more.')
  const tokens = await exchanged(context, connection, client, code, redirectUri, verifierOf(context, state))
  const sealed = sealTokens(context, id, tokens)
  const isKept = await transaction(context.sql, async (tx) => {
    const now = await heldConnection(tx, id)
    if (!now || belongingOf(openAnyConnection(context, now)) !== belongingOf(connection)) return false
    await putTokens(tx, id, sealed)
    await clearAttention(tx, id)
    await updateConnection(tx, id, { status: 'untested', statusMessage: null })
    await publish(tx, 'connection.signed_in', { connectionId: id })
    return true
  })
  if (isKept) return
  await revoke(context, connection, sealed.sealed)
  throw new AdapterFailure('refused', true, 'The connection was deleted, or made another one, meanwhile.')
}

/** The code for tokens; and where the first do not last, those for others that do. */
async function exchanged(
  context: Context,
  connection: Connection,
  client: Client,
  code: string,
  redirectUri: string,
  verifier: string,
): Promise<NewTokens> {
  const { pkce = true, exchange } = client.oauth
  const url = client.tokenUrl
  const first = await askForTokens(context, connection, client, {
    operation: 'oauth.code',
    url,
    parameters: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...(pkce && { code_verifier: verifier }) },
    secrets: [code, verifier],
  })
  if (!exchange) return first
  return askForTokens(context, connection, client, {
    operation: 'oauth.exchange',
    url,
    parameters: { grant_type: exchange.grant, [exchange.parameter]: first.accessToken },
    secrets: [first.accessToken],
  })
}
