import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import { Handed } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { asApiError, callAdapter } from '../../../integrations/connections/calls/call.ts'
import { chooseConnection } from '../../../integrations/connections/choose.ts'
import { type ConnectorConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { isLent, isProven } from '../../../integrations/connections/oauth-client/authorization-state.ts'
import { takeHandedTokens } from '../../../integrations/connections/oauth-client/handed.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { newId } from '../../../lib/ids.ts'
import type { ShopNews } from '../channels.model.ts'
import { listOfShop, listShopsOfPlatform } from '../channels.queries.ts'
import { openNamed, shopIfOn } from '../connector.ts'
import { forgetLinks } from '../install/links.queries.ts'
import { shopsNamed } from '../install/shops-named.ts'
import { forgetMarks } from '../orders/channel-orders.queries.ts'
import { newsIn, PROOF_MS } from '../orders/events.ts'
import type { Shop } from '../orders/import-order.ts'
import { shopOf, takeTold } from '../orders/upsert.ts'
import { findCallback, forgetCallbacks, insertCallback, knowsPeople, markWorked } from './callbacks.queries.ts'
import { answerPrivacy, forgetsOnly, lookWhetherLeft } from './privacy.ts'
import { requestWork } from './replay.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'channels.forget': Record<string, unknown>
  }
}

const KEPT_DAYS = 30
/** What a shop could not be told of for so long it is told no more. */
const TOLD_WITHIN_DAYS = 60
const FORGOTTEN_AT_ONCE = 1_000
/** What an adapter reads a callback by; nothing of ours, and no credential. */
const KEPT_HEADERS = /^(content-type|x-[a-z0-9-]+|[a-z]+-hmac[a-z0-9-]*|[a-z]+-(topic|action|webhook-id|shop-domain))$/
const NOT_KEPT = /^x-(forwarded|real)-|token|secret/
const accepted: ChallengeAnswer = { status: 200, contentType: 'application/json', body: '{"data":{"received":true}}' }

/** A callback to the address of one connection. */
export async function hearConnection(context: Context, storeId: string, connectionId: string, key: string, request: InboundRequest) {
  const row = await findConnection(context.sql, connectionId)
  if (!row || row.storeId !== storeId || row.key !== key || row.kind !== 'connector') throw notFound('The connection')
  return hear(context, [openConnection(context, 'connector', row)], request)
}

/** A callback to the address that a store has of a platform: of whichever of its shops proves it. */
export async function hearStore(context: Context, storeId: string, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  return hear(context, await openNamed(context, await listShopsOfPlatform(context.sql, storeId, key)), request)
}

/** A callback to the one address of a platform: it says which shops it is of, and its proof that it is. */
export async function hearPlatform(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const adapter = context.plugins.find('connector', key)?.adapter
  const { setting, names } = (adapter && shopsNamed(adapter, request)) ?? { names: [] }
  if (setting === undefined || names.length === 0) throw notFound('The shop that this is of')
  const connections = await openNamed(context, await listOfShop(context.sql, key, setting, names))
  const heard = await whoHears(context, connections)
  return heard.length > 0 ? hearAll(context, heard, request) : hearOfNobody(context, key, { [setting]: names[0] }, request)
}

/** Of a shop that nobody has connected: by the client of this server it proves who it is, and is told that nobody of it is kept. */
async function hearOfNobody(context: Context, key: string, settings: object, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('The connection')
  const connection = openConnection(context, 'connector', { ...row, settings: { ...row.settings, ...settings } })
  if (!(await verified(context, connection, request))) throw wrongSignature()
  if (!(await within(forgetsOnly(context, connection, request)))) throw notFound('The connection')
  return accepted
}

const wrongSignature = () => new ApiError('invalid_signature', 'The signature does not match the body.')

async function verified(context: Context, connection: ConnectorConnection, request: InboundRequest): Promise<boolean> {
  const { webhook } = connection.mounted.adapter
  if (!webhook) throw notFound('An address for callbacks of this platform')
  return within(callAdapter(context, connection, (_, own) => webhook.verify(request, own), { operation: 'webhook', deadlineMs: PROOF_MS }))
}

/** The question of a platform whether its one address is ours, which the platform's own connection knows the answer to. */
export async function hearChallenge(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  if (!context.plugins.find('connector', key)?.adapter.webhook?.challenge) throw notFound('Whoever could answer this')
  const row = await chooseConnection(context, null, key)
  if (!row.enabled) throw notFound('Whoever could answer this')
  const connection = openConnection(context, 'connector', row)
  const options = { operation: 'webhook', deadlineMs: PROOF_MS }
  const asked = callAdapter(context, connection, (adapter, own) => adapter.webhook?.challenge?.(request, own) ?? null, options)
  const challenge = await within(asked)
  if (!challenge) throw new ApiError('invalid_signature', 'These are not the words that were agreed upon.')
  return challenge
}

interface Hearing {
  readonly connection: ConnectorConnection
  /** A shop that has left asks to be forgotten; nothing else is heard of it. */
  readonly hasLeft: boolean
}

/** Looked at before any proof is: who only typed in the name of a shop costs nothing. */
async function whoHears(context: Context, connections: readonly ConnectorConnection[]): Promise<Hearing[]> {
  const heard: Hearing[] = []
  for (const connection of connections) {
    const hasLeft = !(await isProven(context, connection))
    if (!hasLeft || (await knowsPeople(context.sql, connection.row.id))) heard.push({ connection, hasLeft })
  }
  return heard
}

async function hear(context: Context, connections: readonly ConnectorConnection[], request: InboundRequest): Promise<ChallengeAnswer> {
  if (connections.length === 0) throw notFound('The connection')
  return hearAll(context, await whoHears(context, connections), request)
}

/** Proven on its exact bytes, kept, and answered; what it tells is worked by a job. Throws `not_found`, `invalid_signature`. */
async function hearAll(context: Context, heard: readonly Hearing[], request: InboundRequest): Promise<ChallengeAnswer> {
  let isKept = false
  for (const { connection, hasLeft } of heard) {
    const { webhook } = connection.mounted.adapter
    if (!webhook) throw notFound('An address for callbacks of this platform')
    const { challenge: answer } = webhook
    const options = { operation: 'webhook', deadlineMs: PROOF_MS }
    const challenge = answer && (await within(callAdapter(context, connection, (_, own) => answer(request, own), options)))
    if (challenge) return challenge
    if (!(await verified(context, connection, request))) continue
    if (hasLeft && !(await within(forgetsOnly(context, connection, request)))) continue
    await take(context, connection, request)
    isKept = true
  }
  if (!isKept) throw wrongSignature()
  return accepted
}

/** What hands over tokens is not kept: they are, sealed. An app that is lent proves those of any shop, and none of them is whoever typed its name. */
async function take(context: Context, connection: ConnectorConnection, request: InboundRequest): Promise<void> {
  const { tokens } = connection.mounted.adapter.webhook ?? {}
  const options = { operation: 'webhook', deadlineMs: PROOF_MS, schema: Handed }
  const handed = tokens && (await within(callAdapter(context, connection, (_, own) => tokens(request, own), options)))
  if (!handed) return keep(context, connection, request)
  if (handed.tokens && connection.row.enabled && !(await isLent(context, connection)))
    await takeHandedTokens(context, connection.row.id, handed.tokens)
}

const within = <V>(work: Promise<V>): Promise<V> => work.catch((error) => Promise.reject(asApiError(error)))

async function keep(
  { sql }: Context,
  { row: { id: connectionId, projectId } }: ConnectorConnection,
  request: InboundRequest,
): Promise<void> {
  const { method, body } = request
  const kept = Object.entries(request.headers).filter(([name]) => KEPT_HEADERS.test(name) && !NOT_KEPT.test(name))
  const { pathname } = new URL(request.url, 'https://here.invalid')
  const callbackId = newId('ccb')
  await transaction(sql, async (tx) => {
    await insertCallback(tx, { id: callbackId, connectionId, url: pathname, method, headers: Object.fromEntries(kept), body })
    await requestWork(tx, callbackId, projectId)
  })
}

/** What a callback told, however often it is worked. */
export async function workCallback(context: Context, callbackId: string): Promise<void> {
  const callback = await findCallback(context.sql, callbackId)
  if (!callback) return
  const connection = await shopIfOn(context, callback.connectionId)
  const shop = connection && (await shopOf(context, connection))
  if (!shop) return void (await markWorked(context.sql, callbackId, 0))
  const { url, method, headers } = callback
  const news = await newsIn(context, shop.connection, { url, method, headers, body: new Uint8Array(callback.body) })
  const heardAt = new Date(callback.receivedAt).toISOString()
  const failures: unknown[] = []
  for (const one of news) await workNews(context, shop, one, { callbackId, heardAt }).catch((error) => failures.push(ofOne(error)))
  if (failures.length > 0) throw failures[0]
  await markWorked(context.sql, callbackId, news.length)
}

async function workNews(context: Context, shop: Shop, { left, privacy, ...told }: ShopNews, of: { callbackId: string; heardAt: string }) {
  if (left) return lookWhetherLeft(context, shop.connection)
  if (privacy) return answerPrivacy(context, shop, privacy, of.callbackId)
  await takeTold(context, shop, told, of.heardAt)
}

/** What cannot be read of one order holds up no other of the same callback. Anything else says as much of all. */
function ofOne(error: unknown): unknown {
  const isOfOne = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
  if (!isOfOne) throw error
  return error
}

export async function forgetOld({ sql }: Context): Promise<void> {
  await forgetLinks(sql)
  while ((await forgetCallbacks(sql, KEPT_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  while ((await forgetMarks(sql, TOLD_WITHIN_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}
