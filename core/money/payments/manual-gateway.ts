import type { Settlement } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { openConnection, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import type { GatewayPayment } from './payments.model.ts'

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
