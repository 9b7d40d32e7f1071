import { Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext, ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { asApiError, callAdapter } from '../../../integrations/connections/calls/call.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'

const CALL_MS = 5_000
const NEWS_MAX = 100

/**
 * Answers a gateway's callback: proof of ownership first, then the signature over its exact bytes, then the news. `take` says whether a piece
 * of news was applied; of what is not signed it only learns where to look. Throws `not_found`, `invalid_signature`.
 */
export async function answerCallback(
  context: Context,
  connection: PaymentConnection,
  request: InboundRequest,
  take: (news: PaymentNews, isSigned: boolean) => Promise<boolean>,
): Promise<ChallengeAnswer> {
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
  for (const news of told.slice(0, NEWS_MAX)) if (await take(news, webhook.unsigned === undefined)) applied += 1
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: { received: told.length, applied } }) }
}
