import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { chooseConnection } from '../../../integrations/connections/choose-connection.ts'
import { openConnection } from '../../../integrations/connections/connection.ts'
import { receiveWebhook } from '../../../integrations/webhook-intake/receive-webhook.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { applyCallback } from '../../payments/events/receive-callback.ts'

/** Handles a webhook of a gateway of the platform. Throws `not_found`, `invalid_signature`. */
export async function receiveCallback(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (row.kind !== 'payment') throw notFound('A gateway of this name')
  return receiveWebhook<'payment'>(context, [{ connection: openConnection(context, 'payment', row) }], request, applyCallback)
}
