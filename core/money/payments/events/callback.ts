import { Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext, ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { toApiError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'

const CALL_MS = 5_000
const EVENTS_MAX = 100

/**
 * Handles a gateway's webhook: answers an ownership challenge, verifies the signature over the exact bytes, then passes each event to
 * `applyEvent`. That returns whether it applied the event; an unsigned event only names what to poll. Throws `not_found`,
 * `invalid_signature`.
 */
export async function handleCallback(
  context: Context,
  connection: PaymentConnection,
  request: InboundRequest,
  applyEvent: (event: PaymentNews, isSigned: boolean) => Promise<boolean>,
): Promise<ChallengeAnswer> {
  const { webhook } = connection.mounted.adapter
  if (!webhook) throw notFound('A webhook of this gateway')
  const within = <V>(work: (own: AdapterContext) => V | Promise<V>, schema?: TSchema) =>
    callAdapter(context, connection, (_, own) => work(own), { operation: 'webhook', deadlineMs: CALL_MS, ...(schema && { schema }) }).catch(
      (error) => Promise.reject(toApiError(error)),
    )
  const challenge = await within((own) => webhook.challenge?.(request, own) ?? null)
  if (challenge) return challenge
  if (!(await within((own) => webhook.verify(request, own))))
    throw new ApiError('invalid_signature', 'The signature does not match the body.')
  const events = await within((own) => webhook.parse(request, own), T.Array(PaymentNews))
  let applied = 0
  for (const event of events.slice(0, EVENTS_MAX)) if (await applyEvent(event, webhook.unsigned === undefined)) applied += 1
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: { received: events.length, applied } }) }
}
