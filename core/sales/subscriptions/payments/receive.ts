import { Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext, ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors.ts'
import { asApiError, callAdapter } from '../../../shop/connections/call.ts'
import { chooseConnection } from '../../../shop/connections/choose.ts'
import { openConnection } from '../../../shop/connections/connection.ts'
import { applyNews } from './news.ts'
import { findNamed } from './payments.queries.ts'

const CALL_MS = 5_000
const NEWS_MAX = 100

/** A callback of a gateway of the platform's: proof of ownership answered first, then the signature over its exact bytes, then the news. */
export async function receive(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (row.kind !== 'payment') throw notFound('A gateway of this name')
  const connection = openConnection(context, 'payment', row)
  const { webhook } = connection.mounted.adapter
  if (!webhook) throw notFound('An address for news of this gateway')
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
    const payment = await findNamed(context.sql, row.id, news)
    if (!payment) continue
    // What anybody might have written only says where to look.
    if (webhook.unsigned !== undefined)
      await enqueue(context.sql, 'subscriptions.read', { paymentId: payment.id }, { key: `payment:${payment.id}` })
    else if ((await transaction(context.sql, (tx) => applyNews(tx, payment, news))) === 'applied') applied += 1
  }
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: { received: told.length, applied } }) }
}
