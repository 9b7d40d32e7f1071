import type { Settlement } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../shop/connections/call.ts'
import { connectionIfOn, type PaymentConnection } from '../../shop/connections/connection.ts'
import type { PaymentRow } from './payments.queries.ts'

const CALL_MS = 8_000

/** The gateway of a payment, where people say what became of its money; null where it knows that itself, or is not connected now. */
export async function byHandOf(context: Context, { connectionId }: Pick<PaymentRow, 'connectionId'>): Promise<PaymentConnection | null> {
  const connection = await connectionIfOn(context, 'payment', connectionId)
  return connection?.mounted.adapter.settle ? connection : null
}

/** Its gateway is told, so that it says so from then on. */
export const tellGateway = (context: Context, connection: PaymentConnection, settlement: Settlement) =>
  callAdapter(context, connection, (adapter, own) => adapter.settle?.(own, settlement), { operation: 'settle', deadlineMs: CALL_MS })
