import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import type { HandedTokens } from '../../../../plugins/connector/linking.model.ts'
import type { Context } from '../../../context.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { transaction } from '../../../data/sql.ts'
import { chooseConnection } from '../../../integrations/connections/choose-connection.ts'
import { type ConnectorConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { isAccountVerified, usesPlatformClient } from '../../../integrations/connections/oauth-client/account-verification.ts'
import { storePushedTokens } from '../../../integrations/connections/oauth-client/pushed-tokens.ts'
import { receiveWebhook } from '../../../integrations/webhook-intake/receive-webhook.ts'
import type { ProvenWebhook, Recipient, WebhookHandler } from '../../../integrations/webhook-intake/webhook-handlers.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnectors } from '../connector.ts'
import { readShopNames } from '../install/read-shop-names.ts'
import { listConnectionsOfShops, listShopsOfPlatform } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { hasOnlyErasureRequests } from './privacy-requests.ts'
import { hasPersonalData, insertReceivedWebhook } from './received-webhooks.queries.ts'
import { requestWebhookProcessing } from './replay.ts'

/** Headers that adapters read from a webhook. None of ours is stored, and no credential. */
const KEPT_HEADERS = /^(content-type|x-[a-z0-9-]+|[a-z]+-hmac[a-z0-9-]*|[a-z]+-(topic|action|webhook-id|shop-domain))$/
const DROPPED_HEADERS = /^x-(forwarded|real)-|token|secret/
const accepted = { received: true }

/** Receives a webhook at the address of one connection. Throws `not_found` for another address. */
export async function receiveForConnection(context: Context, storeId: string, connectionId: string, key: string, request: InboundRequest) {
  const row = await findConnection(context.sql, { projectId: projectIdOf(storeId), id: connectionId })
  if (row?.key !== key || row.kind !== 'connector') throw notFound('The connection')
  return receiveWebhook(context, await recipientsAmong(context, [openConnection(context, 'connector', row)]), request, storeWebhook)
}

/** Finds the shops behind the address of a store and a platform. Their signatures tell which of them a webhook is for. */
export async function findStoreRecipients(context: Context, storeId: string, key: string): Promise<Recipient<'connector'>[]> {
  const connections = await openConnectors(context, await listShopsOfPlatform(context.sql, storeId, key))
  if (connections.length === 0) throw notFound('The connection')
  return recipientsAmong(context, connections)
}

/** Receives a webhook at the address of a whole platform. Its contents name the shops and its signature proves them. */
export async function receiveForPlatform(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const adapter = context.plugins.find('connector', key)?.adapter
  const { setting, names } = (adapter && readShopNames(adapter, request)) ?? { names: [] }
  if (setting === undefined || names.length === 0) throw notFound('The shop of this webhook')
  const connections = await openConnectors(context, await listConnectionsOfShops(context.sql, key, setting, names))
  const recipients = await recipientsAmong(context, connections)
  return recipients.length > 0
    ? receiveWebhook(context, recipients, request, storeWebhook)
    : receiveUnconnected(context, key, { [setting]: names[0] }, request)
}

/** Accepts a verified erasure request for a shop without a connection: no data of it is stored. Verifies with the platform's client. */
async function receiveUnconnected(context: Context, key: string, settings: object, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('The connection')
  const connection = openConnection(context, 'connector', { ...row, settings: { ...row.settings, ...settings } })
  return receiveWebhook<'connector'>(context, [{ connection }], request, async (_context, _connection, webhook) => {
    if (!hasOnlyErasureRequests(webhook)) throw notFound('The connection')
    return accepted
  })
}

/**
 * Answers a platform's check that it owns the shared address, with the platform's own connection. Throws `invalid_signature` for a wrong
 * challenge.
 */
export async function answerChallenge(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  if (!context.plugins.find('connector', key)?.adapter.webhook?.challenges) throw notFound('A connection that answers challenges')
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('A connection that answers challenges')
  const recipient: Recipient<'connector'> = { connection: openConnection(context, 'connector', row), accepts: () => false }
  return receiveWebhook(context, [recipient], request, storeWebhook, connectorShopErrors.verificationTokenWrong)
}

/**
 * Selects the connections that may receive a webhook. Runs before the verification, so that a connection with a merely typed shop name
 * costs nothing. A shop whose sign-in has ended may still ask for erasure.
 */
async function recipientsAmong(context: Context, connections: readonly ConnectorConnection[]): Promise<Recipient<'connector'>[]> {
  const recipients: Recipient<'connector'>[] = []
  for (const connection of connections) {
    if (await isAccountVerified(context, connection)) recipients.push({ connection })
    else if (await hasPersonalData(context.sql, connection.row)) recipients.push({ connection, accepts: hasOnlyErasureRequests })
  }
  return recipients
}

/** Stores a webhook before it is answered; a job processes it. Of a webhook that delivers tokens only these are stored, sealed. */
export const storeWebhook: WebhookHandler<'connector'> = async (context, connection, webhook, request) => {
  if (webhook.outcome === 'tokens') await storeTokens(context, connection, webhook.tokens)
  else await insertAndEnqueue(context, connection, request, webhook)
  return accepted
}

/** Stores delivered tokens. A shared client proves tokens of any shop, so connections that use it ignore them. */
async function storeTokens(context: Context, connection: ConnectorConnection, tokens: HandedTokens | undefined): Promise<void> {
  if (tokens && connection.row.enabled && !(await usesPlatformClient(context, connection)))
    await storePushedTokens(context, connection.row, tokens)
}

async function insertAndEnqueue(
  { sql }: Context,
  { row: { id: connectionId, projectId } }: ConnectorConnection,
  request: InboundRequest,
  webhook: Exclude<ProvenWebhook<'connector'>, { outcome: 'tokens' }>,
): Promise<void> {
  const { method, body } = request
  const keptHeaders = Object.entries(request.headers).filter(([name]) => KEPT_HEADERS.test(name) && !DROPPED_HEADERS.test(name))
  const { pathname } = new URL(request.url, 'https://here.invalid')
  const received = { url: pathname, method, headers: Object.fromEntries(keptHeaders), body, signed: webhook.signed }
  const events = webhook.outcome === 'events' ? JSON.stringify(webhook.events) : null
  const callbackId = newId('ccb')
  await transaction(sql, async (tx) => {
    await insertReceivedWebhook(tx, { projectId, id: callbackId, connectionId, ...received, events })
    await requestWebhookProcessing(tx, callbackId, projectId)
  })
}
