import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import { Handed } from '../../../../plugins/connector/linking.model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { chooseConnection } from '../../../integrations/connections/choose-connection.ts'
import { type ConnectorConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { isAccountVerified, usesPlatformClient } from '../../../integrations/connections/oauth-client/account-verification.ts'
import { storePushedTokens } from '../../../integrations/connections/oauth-client/pushed-tokens.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { findEnabledShop, openConnectors } from '../connector.ts'
import type { ShopEvent } from '../connectors.model.ts'
import { deleteExpiredInstallLinks } from '../install/install-links.queries.ts'
import { readShopNames } from '../install/read-shop-names.ts'
import type { Shop } from '../orders/import-order.ts'
import { parseWebhook, WEBHOOK_CALL_MS } from '../orders/parse-webhook.ts'
import { deleteOldPushMarks } from '../orders/shop-orders.queries.ts'
import { applyWebhookChange, findShop } from '../orders/upsert-order.ts'
import { listConnectionsOfShops, listShopsOfPlatform } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { confirmRevocation, handlePrivacyRequest, hasOnlyErasureRequests } from './privacy-requests.ts'
import {
  deleteOldReceivedWebhooks,
  findReceivedWebhook,
  hasPersonalData,
  insertReceivedWebhook,
  markWebhookProcessed,
} from './received-webhooks.queries.ts'
import { requestWebhookProcessing } from './replay.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.deleteExpired': Record<string, unknown>
  }
}

const KEPT_DAYS = 30
/** Days after which a status change that could not be pushed to a shop is dropped. */
const TOLD_WITHIN_DAYS = 60
const FORGOTTEN_AT_ONCE = 1_000
/** Headers that adapters read from a webhook. None of ours is stored, and no credential. */
const KEPT_HEADERS = /^(content-type|x-[a-z0-9-]+|[a-z]+-hmac[a-z0-9-]*|[a-z]+-(topic|action|webhook-id|shop-domain))$/
const DROPPED_HEADERS = /^x-(forwarded|real)-|token|secret/
const accepted: ChallengeAnswer = { status: 200, contentType: 'application/json', body: '{"data":{"received":true}}' }

/** Receives a webhook at the address of one connection. */
export async function receiveForConnection(context: Context, storeId: string, connectionId: string, key: string, request: InboundRequest) {
  const row = await findConnection(context.sql, connectionId)
  if (!row || row.storeId !== storeId || row.key !== key || row.kind !== 'connector') throw notFound('The connection')
  return receiveFor(context, [openConnection(context, 'connector', row)], request)
}

/** Receives a webhook at the address of a store and a platform. Stores it for each of the store's shops whose signature matches. */
export async function receiveForStore(context: Context, storeId: string, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  return receiveFor(context, await openConnectors(context, await listShopsOfPlatform(context.sql, storeId, key)), request)
}

/** Receives a webhook at the address of a whole platform. Its contents name the shops and its signature proves them. */
export async function receiveForPlatform(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const adapter = context.plugins.find('connector', key)?.adapter
  const { setting, names } = (adapter && readShopNames(adapter, request)) ?? { names: [] }
  if (setting === undefined || names.length === 0) throw notFound('The shop of this webhook')
  const connections = await openConnectors(context, await listConnectionsOfShops(context.sql, key, setting, names))
  const recipients = await recipientsOf(context, connections)
  return recipients.length > 0
    ? receiveForAll(context, recipients, request)
    : receiveUnconnected(context, key, { [setting]: names[0] }, request)
}

/** Accepts a verified erasure request for a shop without a connection: no data of it is stored. Verifies with the platform's client. */
async function receiveUnconnected(context: Context, key: string, settings: object, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('The connection')
  const connection = openConnection(context, 'connector', { ...row, settings: { ...row.settings, ...settings } })
  if (!(await isVerified(context, connection, request))) throw connectorShopErrors.signatureInvalid()
  if (!(await withDomainErrors(hasOnlyErasureRequests(context, connection, request)))) throw notFound('The connection')
  return accepted
}

async function isVerified(context: Context, connection: ConnectorConnection, request: InboundRequest): Promise<boolean> {
  const { webhook } = connection.mounted.adapter
  if (!webhook) throw notFound('An address for callbacks of this platform')
  return withDomainErrors(
    callAdapter(context, connection, (_, own) => webhook.verify(request, own), { operation: 'webhook', deadlineMs: WEBHOOK_CALL_MS }),
  )
}

/**
 * Answers a platform's check that it owns the shared address, with the platform's own connection. Throws `invalid_signature` for a wrong
 * challenge.
 */
export async function answerChallenge(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  if (!context.plugins.find('connector', key)?.adapter.webhook?.challenge) throw notFound('A connection that answers challenges')
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('A connection that answers challenges')
  const connection = openConnection(context, 'connector', row)
  const options = { operation: 'webhook', deadlineMs: WEBHOOK_CALL_MS }
  const asked = callAdapter(context, connection, (adapter, own) => adapter.webhook?.challenge?.(request, own) ?? null, options)
  const challenge = await withDomainErrors(asked)
  if (!challenge) throw connectorShopErrors.verificationTokenWrong()
  return challenge
}

interface Recipient {
  readonly connection: ConnectorConnection
  /** True for a shop whose sign-in has ended. Only erasure requests are accepted from it. */
  readonly hasLeft: boolean
}

/**
 * Selects the connections that may receive a webhook. Runs before the verification, so that a connection with a merely typed shop name
 * costs nothing.
 */
async function recipientsOf(context: Context, connections: readonly ConnectorConnection[]): Promise<Recipient[]> {
  const recipients: Recipient[] = []
  for (const connection of connections) {
    const hasLeft = !(await isAccountVerified(context, connection))
    if (!hasLeft || (await hasPersonalData(context.sql, connection.row.id))) recipients.push({ connection, hasLeft })
  }
  return recipients
}

async function receiveFor(
  context: Context,
  connections: readonly ConnectorConnection[],
  request: InboundRequest,
): Promise<ChallengeAnswer> {
  if (connections.length === 0) throw notFound('The connection')
  return receiveForAll(context, await recipientsOf(context, connections), request)
}

/**
 * Verifies a webhook on its exact bytes, stores it for each matching connection and answers; a job processes it. Throws `not_found` or
 * `invalid_signature`.
 */
async function receiveForAll(context: Context, recipients: readonly Recipient[], request: InboundRequest): Promise<ChallengeAnswer> {
  let isStored = false
  for (const { connection, hasLeft } of recipients) {
    const { webhook } = connection.mounted.adapter
    if (!webhook) throw notFound('An address for callbacks of this platform')
    const { challenge: answer } = webhook
    const options = { operation: 'webhook', deadlineMs: WEBHOOK_CALL_MS }
    const challenge = answer && (await withDomainErrors(callAdapter(context, connection, (_, own) => answer(request, own), options)))
    if (challenge) return challenge
    if (!(await isVerified(context, connection, request))) continue
    if (hasLeft && !(await withDomainErrors(hasOnlyErasureRequests(context, connection, request)))) continue
    await storeWebhook(context, connection, request)
    isStored = true
  }
  if (!isStored) throw connectorShopErrors.signatureInvalid()
  return accepted
}

/**
 * Stores a webhook, or only the tokens that it delivers, sealed. A shared client proves tokens of any shop, so connections that use it
 * ignore them.
 */
async function storeWebhook(context: Context, connection: ConnectorConnection, request: InboundRequest): Promise<void> {
  const { tokens } = connection.mounted.adapter.webhook ?? {}
  const options = { operation: 'webhook', deadlineMs: WEBHOOK_CALL_MS, schema: Handed }
  const pushed = tokens && (await withDomainErrors(callAdapter(context, connection, (_, own) => tokens(request, own), options)))
  if (!pushed) return insertAndEnqueue(context, connection, request)
  if (pushed.tokens && connection.row.enabled && !(await usesPlatformClient(context, connection)))
    await storePushedTokens(context, connection.row.id, pushed.tokens)
}

const withDomainErrors = <V>(work: Promise<V>): Promise<V> => work.catch((error) => Promise.reject(toDomainError(error)))

async function insertAndEnqueue(
  { sql }: Context,
  { row: { id: connectionId, projectId } }: ConnectorConnection,
  request: InboundRequest,
): Promise<void> {
  const { method, body } = request
  const keptHeaders = Object.entries(request.headers).filter(([name]) => KEPT_HEADERS.test(name) && !DROPPED_HEADERS.test(name))
  const { pathname } = new URL(request.url, 'https://here.invalid')
  const callbackId = newId('ccb')
  await transaction(sql, async (tx) => {
    await insertReceivedWebhook(tx, { id: callbackId, connectionId, url: pathname, method, headers: Object.fromEntries(keptHeaders), body })
    await requestWebhookProcessing(tx, callbackId, projectId)
  })
}

/** Runs the job that processes a webhook. Processing it again changes nothing. */
export async function processWebhook(context: Context, callbackId: string): Promise<void> {
  const callback = await findReceivedWebhook(context.sql, callbackId)
  if (!callback) return
  const connection = await findEnabledShop(context, callback.connectionId)
  const shop = connection && (await findShop(context, connection))
  if (!shop) return void (await markWebhookProcessed(context.sql, callbackId, 0))
  const { url, method, headers } = callback
  const events = await parseWebhook(context, shop.connection, { url, method, headers, body: new Uint8Array(callback.body) })
  const heardAt = new Date(callback.receivedAt).toISOString()
  const failures: unknown[] = []
  for (const one of events)
    await processEvent(context, shop, one, { callbackId, heardAt }).catch((error) => failures.push(ofOneOrder(error)))
  if (failures.length > 0) throw failures[0]
  await markWebhookProcessed(context.sql, callbackId, events.length)
}

async function processEvent(
  context: Context,
  shop: Shop,
  { left, privacy, ...change }: ShopEvent,
  of: { callbackId: string; heardAt: string },
) {
  if (left) return confirmRevocation(context, shop.connection)
  if (privacy) return handlePrivacyRequest(context, shop, privacy, of.callbackId)
  await applyWebhookChange(context, shop, change, of.heardAt)
}

/** Returns an error that concerns one order, so that the other events are still processed. Throws any other error. */
function ofOneOrder(error: unknown): unknown {
  const isOfOne = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
  if (!isOfOne) throw error
  return error
}

/** Deletes old webhooks, links and unsent status changes. */
export async function deleteOldShopData({ sql }: Context): Promise<void> {
  await deleteExpiredInstallLinks(sql)
  while ((await deleteOldReceivedWebhooks(sql, KEPT_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  while ((await deleteOldPushMarks(sql, TOLD_WITHIN_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}
