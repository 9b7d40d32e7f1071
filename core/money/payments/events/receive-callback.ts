import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { ProvenWebhook, WebhookHandler } from '../../../integrations/webhook-intake/webhook-handlers.ts'
import { claimPoll, findPaymentOfEvent, listPaymentsByExternalId, scheduleNextPoll } from '../payments.queries.ts'
import { mayBeOutdated, transitions } from '../statuses.ts'
import { recordGatewayEvent } from './apply-gateway-event.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** An unverified request names a checkout at a gateway. Its owner may poll the gateway. */
    'checkout.notified': { readonly gateway: string; readonly externalId: string }
  }
}

const ASKED_AGAIN_SECONDS = 3

/** Handles a webhook of a store's gateway. Applies signed events; polls the payment instead if an event is unsigned or may be outdated. */
export const applyCallback: WebhookHandler<'payment'> = (context, connection, webhook) =>
  applyEvents(webhook, async (event, { isSigned }) => {
    const { row } = connection
    const isTrusted = isSigned && !mayBeOutdated(await findPaymentOfEvent(context.sql, row.id, event), event)
    const isApplied = isTrusted && (await recordGatewayEvent(context, connection, event)) === 'applied'
    const payment = await findPaymentOfEvent(context.sql, row.id, event)
    // Captures an authorized amount soon instead of with the next scheduled poll.
    if (!isTrusted || (isApplied && event.status === 'authorized')) await enqueuePoll(context, payment?.id)
    if (isApplied && event.status === 'paid' && payment?.fee === null) await enqueueFeePolls(context, payment.id)
    return isApplied
  })

/**
 * Handles an unverified webhook that names no store. Polls the named checkout if it can still change, limited so that it cannot exhaust the
 * account's quota. Publishes `checkout.notified`.
 */
export async function handleNotification(context: Context, key: string, externalId: string): Promise<void> {
  for (const { id, status } of await listPaymentsByExternalId(context.sql, key, externalId)) {
    if (transitions[status].length === 0) continue
    if (await claimPoll(context.sql, id, ASKED_AGAIN_SECONDS)) await enqueuePoll(context, id)
    else await scheduleNextPoll(context.sql, id)
  }
  await transaction(context.sql, (tx) => publish(tx, 'checkout.notified', { gateway: key, externalId }))
}

/** Minutes after which to poll for a gateway's fee, which some gateways report only later. */
const FEE_MINUTES = [1, 60]

async function enqueueFeePolls({ sql }: Context, paymentId: string): Promise<void> {
  for (const minutes of FEE_MINUTES) {
    const runAt = new Date(Date.now() + minutes * 60_000)
    await enqueue(sql, 'payments.poll', { paymentId }, { key: `fee:${paymentId}:${minutes}`, runAt, maxAttempts: 3 })
  }
}

async function enqueuePoll({ sql }: Context, paymentId: string | undefined): Promise<void> {
  if (paymentId) await enqueue(sql, 'payments.poll', { paymentId }, { key: `payment:${paymentId}`, maxAttempts: 3 })
}

const EVENTS_MAX = 100

/**
 * Passes each event of a gateway's webhook to `applyEvent`. That returns whether it applied the event; an unsigned event only names what to
 * poll.
 */
export async function applyEvents(
  { events, signed }: ProvenWebhook<'payment'>,
  applyEvent: (event: GatewayEvent, options: { readonly isSigned: boolean }) => Promise<boolean>,
): Promise<object> {
  let applied = 0
  for (const event of events.slice(0, EVENTS_MAX)) if (await applyEvent(event, { isSigned: signed })) applied += 1
  return { received: events.length, applied }
}
