import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { chooseConnection } from '../../../integrations/connections/choose-connection.ts'
import { openConnection } from '../../../integrations/connections/connection.ts'
import { receiveWebhook } from '../../../integrations/webhook-intake/receive-webhook.ts'
import type { WebhookHandler } from '../../../integrations/webhook-intake/webhook-handlers.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { applyEvents } from '../../payments/events/receive-callback.ts'
import { recordGatewayEvent } from './apply-gateway-event.ts'
import { claimPoll, findPaymentOfEvent, listPaymentsByExternalId, scheduleNextPoll } from './payments.queries.ts'
import { mayBeOutdated, transitions } from './statuses.ts'

const ASKED_AGAIN_SECONDS = 3

/**
 * Handles a webhook of a gateway of the platform. Applies signed events; polls the payment instead if an event is unsigned or may be
 * outdated.
 */
export async function receiveCallback(context: Context, key: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await chooseConnection(context, null, key)
  if (row.kind !== 'payment') throw notFound('A gateway of this name')
  return receiveWebhook<'payment'>(context, [{ connection: openConnection(context, 'payment', row) }], request, applyCallback)
}

const applyCallback: WebhookHandler<'payment'> = (context, { row }, webhook) =>
  applyEvents(webhook, async (event, { isSigned }) => {
    const payment = await findPaymentOfEvent(context.sql, row.id, event)
    if (!payment) return false
    if (isSigned && !mayBeOutdated(payment, event)) return (await recordGatewayEvent(context, payment, event)) === 'applied'
    await enqueue(context.sql, 'subscriptions.poll', { paymentId: payment.id }, { key: `payment:${payment.id}` })
    return false
  })

/** Polls the checkout that an unverified webhook names, if it can still change and was not polled just now. */
export async function pollNamedCheckout(
  tx: Tx,
  { gateway, externalId }: { readonly gateway: string; readonly externalId: string },
): Promise<void> {
  for (const { id, status } of await listPaymentsByExternalId(tx, gateway, externalId)) {
    if (transitions[status].length === 0) continue
    if (await claimPoll(tx, id, ASKED_AGAIN_SECONDS)) await enqueue(tx, 'subscriptions.poll', { paymentId: id }, { key: `payment:${id}` })
    else await scheduleNextPoll(tx, id)
  }
}
