import type { GatewayEvent, Settlement } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { openConnection, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { decimal, parseDecimal } from '../../lib/money/decimal.ts'
import { toUnits } from './gateway/amounts.ts'
import { paymentErrors } from './payments.errors.ts'
import type { GatewayPayment } from './payments.model.ts'
import type { PaymentDecision } from './receipts/proofs.model.ts'
import { transitions } from './statuses.ts'

interface DecisionOptions {
  /** True when the gateway did not report an outcome in time, so that a user may record it. */
  readonly isUnknown?: boolean
  apply(tx: Tx, event: GatewayEvent): Promise<unknown>
}

/**
 * Records a user's decision whether money arrived, for gateways that cannot see it or did not report in time. A failed payment can still
 * become paid, but not the reverse. Throws `invalid_transition`, `amount_not_payable`, and errors of the gateway.
 */
export async function decidePaymentOutcome(
  context: Context,
  payment: GatewayPayment,
  { status, amount, reason }: PaymentDecision,
  { isUnknown = false, apply }: DecisionOptions,
): Promise<void> {
  const connection = await findManualGateway(context, payment)
  const { externalId } = payment
  if ((!connection || externalId === null) && !isUnknown) throw paymentErrors.gatewayDecides()
  if (!transitions[payment.status].includes(status)) throw paymentErrors.wrongStatus({ status: payment.status, wanted: status })
  const received = amount === undefined ? decimal(payment.amount) : parseDecimal(amount)
  if (received === null || (status === 'failed' && amount !== undefined)) throw paymentErrors.amountInvalid()
  const paid = status === 'paid' ? { amount: toUnits(received, payment.decimals) } : {}
  const at = externalId === null ? {} : { externalId }
  if (connection && externalId !== null)
    await reportSettlement(context, connection, { externalId, status, ...paid }).catch((error) => Promise.reject(toDomainError(error)))
  const event = { ...at, status, currency: payment.currency, at: new Date().toISOString(), ...(reason && { message: reason }), ...paid }
  await transaction(context.sql, (tx) => apply(tx, event))
}

const CALL_MS = 8_000

/**
 * Finds the gateway of a payment if users record the outcome of its payments. Returns null if the gateway reports outcomes itself or is
 * disconnected. A gateway that is switched off still counts, for payments that wait.
 */
export async function findManualGateway(
  context: Context,
  { connectionId }: Pick<GatewayPayment, 'connectionId'>,
): Promise<PaymentConnection | null> {
  const row = await findConnection(context.sql, connectionId)
  if (!row || !context.plugins.find('payment', row.key)?.adapter.settle) return null
  return openConnection(context, 'payment', row)
}

/** Sends the recorded outcome to the gateway's adapter, so that it reports the same outcome from then on. */
export const reportSettlement = (context: Context, connection: PaymentConnection, settlement: Settlement) =>
  callAdapter(context, connection, (adapter, own) => adapter.settle?.(own, settlement), { operation: 'settle', deadlineMs: CALL_MS })
