import type { Settlement } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import { openConnection, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import type { AtGateway } from './payments.model.ts'

const CALL_MS = 8_000

/**
 * The gateway of a payment, where people say what became of its money; null where it knows that itself, or is not connected any more. Switched off
 * it takes no new payments, and what waits there is decided all the same.
 */
export async function byHandOf(context: Context, { connectionId }: Pick<AtGateway, 'connectionId'>): Promise<PaymentConnection | null> {
  const row = await findConnection(context.sql, connectionId)
  if (!row || !context.plugins.find('payment', row.key)?.adapter.settle) return null
  return openConnection(context, 'payment', row)
}

/** Its gateway is told, so that it says so from then on. */
export const tellGateway = (context: Context, connection: PaymentConnection, settlement: Settlement) =>
  callAdapter(context, connection, (adapter, own) => adapter.settle?.(own, settlement), { operation: 'settle', deadlineMs: CALL_MS })
