import type { Tx } from '../../data/sql.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Order } from '../orders.model.ts'

/** Emits `order.updated` for a change other than a status change. */
export const emitOrderUpdated = (tx: Tx, { projectId, id: storeId }: Pick<Store, 'id' | 'projectId'>, order: Order) =>
  emitWebhook(tx, [{ projectId, storeId, type: 'order.updated', data: { order }, orderKey: order.id }])
