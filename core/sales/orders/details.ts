import type { Queryable } from '../../data/sql.ts'
import type { OrderDetails } from './details.model.ts'
import { findBeside } from './details.queries.ts'
import { fulfilmentOf } from './fulfilment.ts'
import { makerOf } from './maker.ts'
import type { OrderRow } from './orders.queries.ts'
import { present } from './present.ts'
import { countOutcomes } from './recipients.queries.ts'

/** An order with what its store's people want to see beside it: how it came here, what came back, and how reliable its recipient was. */
export async function detailsOf(sql: Queryable, order: OrderRow): Promise<OrderDetails> {
  const [{ history, returns, maker }, carried, recipient] = await Promise.all([
    findBeside(sql, order, makerOf(order)),
    fulfilmentOf(sql, order),
    countOutcomes(sql, order.customerPhone),
  ])
  const taken = { fromStatus: null, toStatus: history[0]?.fromStatus ?? order.status, reason: '', by: maker, at: order.createdAt }
  return { ...present(order), history: [taken, ...history], ...carried, returns, recipient }
}
