import type { Tx } from '../../data/sql.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Order } from '../orders.model.ts'

/** Tells of an order, as it is now, that something of it changed and not its status. */
export const tellUpdated = (tx: Tx, { projectId, id: storeId }: Pick<Store, 'id' | 'projectId'>, order: Order) =>
  emitWebhook(tx, [{ projectId, storeId, type: 'order.updated', data: { order }, orderKey: order.id }])
