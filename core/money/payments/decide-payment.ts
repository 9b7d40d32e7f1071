import type { Settlement } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { openConnection, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { findConnectionById } from '../../integrations/connections/connections.queries.ts'
import { decimal, parseDecimal } from '../../lib/money/decimal.ts'
import { applyGatewayEvent } from './events/apply-gateway-event.ts'
import { toUnits } from './gateway/amounts.ts'
import { paymentErrors } from './payments.errors.ts'
import type { PaymentRow } from './payments.model.ts'
import type { PaymentDecision } from './receipts/proofs.model.ts'
import { transitions } from './statuses.ts'

/**
 * Records a user's decision whether money arrived, for gateways that cannot see it or did not report in time. A failed payment can still
 * become paid, but not the reverse. Throws `invalid_transition`, `amount_not_payable`, and errors of the gateway.
 */
export async function decidePaymentOutcome(
  context: Context,
  payment: PaymentRow,
  { status, amount, reason }: PaymentDecision,
): Promise<void> {
  const connection = await findManualGateway(context, payment)
  const { externalId, concern } = payment
  // Where the gateway did not report an outcome in time, a user may record it.
  if ((!connection || externalId === null) && concern !== 'outcome_unknown') throw paymentErrors.gatewayDecides()
  if (!transitions[payment.status].includes(status)) throw paymentErrors.wrongStatus({ status: payment.status, wanted: status })
  const received = amount === undefined ? decimal(payment.amount) : parseDecimal(amount)
  if (received === null || (status === 'failed' && amount !== undefined)) throw paymentErrors.amountInvalid()
  const paid = status === 'paid' ? { amount: toUnits(received, payment.decimals) } : {}
  const at = externalId === null ? {} : { externalId }
  if (connection && externalId !== null)
    await reportSettlement(context, connection, { externalId, status, ...paid }).catch((error) => Promise.reject(toDomainError(error)))
  const event = { ...at, status, currency: payment.currency, at: new Date().toISOString(), ...(reason && { message: reason }), ...paid }
  await transaction(context.sql, (tx) => applyGatewayEvent(context, tx, payment, event))
}

const CALL_MS = 8_000

/**
 * Finds the gateway of a payment if users record the outcome of its payments. Returns null if the gateway reports outcomes itself or is
 * disconnected. A gateway that is switched off still counts, for payments that wait.
 */
export async function findManualGateway(
  context: Context,
  { connectionId }: Pick<PaymentRow, 'connectionId'>,
): Promise<PaymentConnection | null> {
  const row = await findConnectionById(context.sql, connectionId)
  if (!row || !context.plugins.find('payment', row.key)?.adapter.settle) return null
  return openConnection(context, 'payment', row)
}

/** Sends the recorded outcome to the gateway's adapter, so that it reports the same outcome from then on. */
export const reportSettlement = (context: Context, connection: PaymentConnection, settlement: Settlement) =>
  callAdapter(context, connection, (adapter, own) => adapter.settle?.(own, settlement), { operation: 'settle', deadlineMs: CALL_MS })
