import { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { QuotaClass } from '../../../integrations/egress/quota.ts'
import { amountStepAt } from '../gateway/amounts.ts'
import type { PaymentRow } from '../payments.model.ts'
import { findPayment, updatePayment } from '../payments.queries.ts'
import { isUnderWay } from '../statuses.ts'
import { applyGatewayEvent } from './apply-gateway-event.ts'
import { nextPollAfter } from './poll-schedule.ts'

const CALL_MS = 20_000

/** Timeout and quota class of a poll. Defaults are those of a waiting user. */
export interface PollOptions {
  readonly deadlineMs?: number | undefined
  readonly quota?: QuotaClass | undefined
}

/** Failure used for a gateway that is switched off or disconnected. */
const GATEWAY_OFF = new AdapterFailure('unavailable', 'The gateway is switched off or disconnected, so it cannot be polled.', {
  wasSent: false,
})

/** Returns an adapter's failure as a value. Rethrows any other error. */
export function asFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  throw error
}

/** Polls the gateway and schedules the next poll. Returns whether the gateway responded, including that it does not know the checkout. */
export async function pollGateway(context: Context, payment: PaymentRow, asking: PollOptions = {}): Promise<boolean> {
  const connection = await findEnabledConnection(context, 'payment', payment.connectionId)
  const event = connection ? await fetchFromGateway(context, connection, payment, asking).catch(asFailure) : GATEWAY_OFF
  const hasResponded = !(event instanceof AdapterFailure) || event.reason === 'not_found'
  if (event instanceof AdapterFailure) await recordFailure(context, payment, event)
  else if (event) await transaction(context.sql, (tx) => applyGatewayEvent(context, tx, payment, event))
  const now = await findPayment(context.sql, payment)
  if (now) await updatePayment(context.sql, payment, { readAt: nextPollAfter(context, now, { hasResponded }) })
  return hasResponded
}

/** Records the failure of a poll. A payment that has ended retains its last message. */
async function recordFailure({ sql }: Context, payment: PaymentRow, { message }: AdapterFailure): Promise<void> {
  if (isUnderWay(payment.status)) await updatePayment(sql, payment, { message })
}

/**
 * Reads the checkout from the gateway. Captures an authorized amount if it is still due, because some gateways otherwise release
 * it.
 */
async function fetchFromGateway(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  { deadlineMs = CALL_MS, quota = 'lookUp' }: PollOptions,
): Promise<GatewayEvent | null> {
  const { externalId } = payment
  if (externalId === null) return null
  const options = { operation: 'read', deadlineMs, schema: GatewayEvent, quota }
  const event = await callAdapter(context, connection, (adapter, own) => adapter.read(own, externalId), options)
  const { capture } = connection.mounted.adapter
  if (event.status !== 'authorized' || !capture) return withExternalId(event, externalId)
  const step = amountStepAt(connection.mounted.adapter, payment.currency)
  if (!(await context.payables.of(payment.payableKind).isDue(context.sql, payment, step)))
    return isUnderWay(payment.status) ? withExternalId(event, externalId) : null
  return withExternalId(
    await callAdapter(context, connection, (_, own) => capture(own, externalId), { ...options, operation: 'capture' }),
    externalId,
  )
}

/** Sets the checkout's id that was requested. */
const withExternalId = (event: GatewayEvent, externalId: string): GatewayEvent => ({ ...event, externalId })
