import type { Context } from '../../context.ts'
import { listTraces } from '../../integrations/egress/traces.queries.ts'
import { presentTrace } from '../../logistics/tracking/present-trace.ts'
import { creatorOf } from '../create/creator.ts'
import type { OrderRow } from '../orders.queries.ts'
import { readFulfilment } from '../parcels/fulfilment.ts'
import { presentOrder } from '../present.ts'
import { readProgress } from '../progress/read-progress.ts'
import { readRecordOfPhone } from '../public/recipients.ts'
import { listPastCalls } from './calls.queries.ts'
import type { OrderDetails } from './details.model.ts'
import { findOrderRecords } from './details.queries.ts'

type OrderReader = Pick<Context, 'sql' | 'plugins'>

/** Details of an order: its history, parcels and returns, and the record of its recipient. */
export async function orderDetailsOf({ sql, plugins }: OrderReader, order: OrderRow): Promise<OrderDetails> {
  const [{ history, returns, maker }, carried, recipient, progress, pastCalls] = await Promise.all([
    findOrderRecords(sql, order, creatorOf(order)),
    readFulfilment(sql, order),
    readRecordOfPhone(sql, order.customerPhone),
    readProgress(sql, plugins, order),
    listPastCalls(sql, order),
  ])
  const created = { fromStatus: null, toStatus: history[0]?.fromStatus ?? order.status, reason: '', by: maker, at: order.createdAt }
  const lastError = carried.parcels.at(-1)?.lastError ?? null
  return {
    ...presentOrder(order),
    ...progress,
    lastError,
    history: [created, ...history],
    ...carried,
    pastCalls: [...pastCalls],
    returns,
    recipient,
  }
}

const TRACES_SHOWN = 10

/** Details of an order with the traces of its parcels, for callers that may send orders. */
export async function tracedOrderDetailsOf(reader: OrderReader, projectId: string, order: OrderRow): Promise<OrderDetails> {
  const details = await orderDetailsOf(reader, order)
  const parcels = await Promise.all(
    details.parcels.map(async (parcel) => {
      const trace = await listTraces(reader.sql, { projectId, id: parcel.id }, null, TRACES_SHOWN)
      return { ...parcel, trace: trace.map(presentTrace) }
    }),
  )
  return { ...details, parcels }
}
