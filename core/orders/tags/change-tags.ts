import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findOrder, lockOrder } from '../orders.queries.ts'
import { tagErrors } from './tags.errors.ts'
import { type OrderTagChange, type OrderTags, TAG_LIMITS } from './tags.model.ts'
import { countNewTags, countStoreTags, deleteTags, insertTags, listTags, lockStoreTags } from './tags.queries.ts'

type Needs = Pick<Context, 'sql'>

/** Reads the tags of an order. Throws `not_found`. */
export async function readTags({ sql }: Needs, store: Store, orderId: string): Promise<OrderTags> {
  if (!(await findOrder(sql, { storeId: store.id, id: orderId }))) throw notFound('The order')
  return { orderId, tags: await listTags(sql, { projectId: store.projectId, id: orderId }) }
}

/** Adds and removes tags of an order. Throws `not_found`, `limit_reached`. */
export function changeTags({ sql }: Needs, store: Store, orderId: string, change: OrderTagChange): Promise<OrderTags> {
  const remove = (change.remove ?? []).map(normalize)
  const add = (change.add ?? []).map(normalize).filter((tag) => !remove.includes(tag))
  return transaction(sql, async (tx) => {
    if (!(await lockOrder(tx, { storeId: store.id, id: orderId }))) throw notFound('The order')
    const key = { projectId: store.projectId, id: orderId }
    await deleteTags(tx, key, remove)
    if (add.length > 0) {
      await lockStoreTags(tx, store.projectId)
      const fresh = await countNewTags(tx, store.projectId, add)
      if (fresh > 0 && fresh + (await countStoreTags(tx, store.projectId, TAG_LIMITS.perStore)) > TAG_LIMITS.perStore)
        throw tagErrors.tooManyStoreTags({ max: TAG_LIMITS.perStore }, { field: ['add'] })
      await insertTags(tx, key, add)
    }
    const tags = await listTags(tx, key)
    if (tags.length > TAG_LIMITS.perOrder) throw tagErrors.tooManyTags({ max: TAG_LIMITS.perOrder }, { field: ['add'] })
    await publish(tx, 'order.annotated', { projectId: store.projectId, orderId })
    return { orderId, tags }
  })
}

/** Writes a tag in one way, so that equal ones are equal. */
const normalize = (tag: string) => tag.normalize('NFC').replace(/\s+/g, ' ')
