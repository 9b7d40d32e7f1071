import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import type { WebhookHandler } from '../../../integrations/webhook-intake/webhook-handlers.ts'
import { claimPoll, findPaymentOfEvent, listPaymentsByExternalId, scheduleNextPoll } from '../payments.queries.ts'
import { mayBeOutdated, transitions } from '../statuses.ts'
import { recordGatewayEvent } from './apply-gateway-event.ts'

const ASKED_AGAIN_SECONDS = 3

/** Largest number of events in one callback that are applied. The payments that the others name are polled. */
const EVENTS_MAX = 100

/** Handles the events in a webhook of a gateway, of a store or of the platform. */
export const applyCallback: WebhookHandler<'payment'> = async (context, connection, { events, signed: isSigned }) => {
  let applied = 0
  for (const [at, event] of events.entries())
    if (await handleEvent(context, connection, event, { isSigned: isSigned && at < EVENTS_MAX })) applied += 1
  return { received: events.length, applied }
}

/** Applies a signed event; polls the payment instead if an event is unsigned or may be outdated. Returns whether it applied the event. */
async function handleEvent(
  context: Context,
  connection: PaymentConnection,
  event: GatewayEvent,
  { isSigned }: { readonly isSigned: boolean },
): Promise<boolean> {
  const { id: connectionId } = connection.row
  const isTrusted = isSigned && !mayBeOutdated(await findPaymentOfEvent(context.sql, connectionId, event), event)
  const isApplied = isTrusted && (await recordGatewayEvent(context, connection, event)) === 'applied'
  const payment = await findPaymentOfEvent(context.sql, connectionId, event)
  // Captures an authorized amount soon instead of with the next scheduled poll.
  if (!isTrusted || (isApplied && event.status === 'authorized')) await enqueuePoll(context, payment?.id)
  if (isApplied && event.status === 'paid' && payment?.fee === null && context.payables.of(payment.payableKind).hasFees)
    await enqueueFeePolls(context, payment.id)
  return isApplied
}

/**
 * Handles an unverified webhook that names no store. Polls the named checkout if it can still change, limited so that it cannot exhaust the
 * account's quota.
 */
export async function handleNotification(context: Context, key: string, externalId: string): Promise<void> {
  for (const payment of await listPaymentsByExternalId(context.sql, key, externalId)) {
    if (transitions[payment.status].length === 0) continue
    if (await claimPoll(context.sql, payment, ASKED_AGAIN_SECONDS)) await enqueuePoll(context, payment.id)
    else await scheduleNextPoll(context.sql, payment)
  }
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
