import type { Tx } from '../../data/sql.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Order } from '../orders.model.ts'

/** Emits `order.updated` for a change other than a status change. */
export const emitOrderUpdated = (tx: Tx, { projectId }: Pick<Store, 'projectId'>, order: Order) =>
  emitWebhook(tx, [{ projectId, type: 'order.updated', data: { order }, orderKey: order.id }])
