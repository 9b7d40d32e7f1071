import { Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext, ChallengeAnswer, InboundRequest } from '../../../plugins/adapter.ts'
import { PaymentNews } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { known } from '../../lib/known.ts'
import { asApiError, callAdapter } from '../../shop/connections/call.ts'
import { openConnection } from '../../shop/connections/connection.ts'
import { findConnectionByKey } from '../../shop/connections/connections.queries.ts'
import { takeNews } from './news.ts'
import { claimReading, findNamed, listByExternalId, readSoon } from './payments.queries.ts'
import { moves } from './statuses.ts'

const CALL_MS = 5_000
const NEWS_MAX = 100
const ASKED_AGAIN_SECONDS = 3

/** A gateway's callback: proof of ownership answered first, then the signature over its exact bytes, then the news. */
export async function receive(context: Context, key: string, storeId: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw notFound('The connection')
  const connection = openConnection(context, 'payment', row)
  const webhook = known(connection.mounted.adapter.webhook, 'The webhook of a gateway')
  const within = <V>(work: (own: AdapterContext) => V | Promise<V>, schema?: TSchema) =>
    callAdapter(context, connection, (_, own) => work(own), { operation: 'webhook', deadlineMs: CALL_MS, ...(schema && { schema }) }).catch(
      (error) => Promise.reject(asApiError(error)),
    )
  const challenge = await within((own) => webhook.challenge?.(request, own) ?? null)
  if (challenge) return challenge
  if (!(await within((own) => webhook.verify(request, own))))
    throw new ApiError('invalid_signature', 'The signature does not match the body.')
  const told = await within((own) => webhook.parse(request, own), T.Array(PaymentNews))
  let applied = 0
  for (const news of told.slice(0, NEWS_MAX)) {
    // What anybody might have written only says where to look.
    if (webhook.unsigned === undefined) applied += (await takeNews(context, connection, news)) === 'applied' ? 1 : 0
    else await lookLater(context, (await findNamed(context.sql, row.id, news))?.id)
  }
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: { received: told.length, applied } }) }
}

/**
 * News at an address that names no store, from anybody: the gateway is asked about the checkout that is named, where that can still change,
 * and not so often that the quota of the account goes into it. Nothing else is believed.
 */
export async function beNotified(context: Context, key: string, externalId: string): Promise<void> {
  for (const { id, status } of await listByExternalId(context.sql, key, externalId)) {
    if (moves[status].length === 0) continue
    if (await claimReading(context.sql, id, ASKED_AGAIN_SECONDS)) await lookLater(context, id)
    else await readSoon(context.sql, id)
  }
}

async function lookLater({ sql }: Context, paymentId: string | undefined): Promise<void> {
  if (paymentId) await enqueue(sql, 'payments.read', { paymentId }, { key: `payment:${paymentId}`, maxAttempts: 3 })
}
