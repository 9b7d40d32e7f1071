import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findOrder, lockOrder } from '../orders.queries.ts'
import { tagErrors } from './tags.errors.ts'
import { normalizeTag, type OrderTagChange, type OrderTags, TAG_LIMITS } from './tags.model.ts'
import { countNewTags, countStoreTags, deleteTags, insertTags, listTags, lockStoreTags } from './tags.queries.ts'

type Needs = Pick<Context, 'sql'>

/** Reads the tags of an order. Throws `not_found`. */
export async function readTags({ sql }: Needs, store: Store, orderId: string): Promise<OrderTags> {
  if (!(await findOrder(sql, { storeId: store.id, id: orderId }))) throw notFound('The order')
  return { orderId, tags: await listTags(sql, { projectId: store.projectId, id: orderId }) }
}

/** Adds and removes tags of an order. Throws `not_found`, `limit_reached`. */
export async function changeTags({ sql }: Needs, store: Store, orderId: string, change: OrderTagChange): Promise<OrderTags> {
  const { tags } = await transaction(sql, (tx) => changeTagsInTransaction(tx, store, orderId, change))
  return { orderId, tags }
}

/** Adds and removes tags of an order in the caller's transaction, and says whether that changed anything. */
export async function changeTagsInTransaction(
  tx: Tx,
  store: Store,
  orderId: string,
  change: OrderTagChange,
): Promise<{ readonly tags: string[]; readonly isChanged: boolean }> {
  const remove = (change.remove ?? []).map(normalizeTag)
  const add = (change.add ?? []).map(normalizeTag).filter((tag) => !remove.includes(tag))
  if (!(await lockOrder(tx, { storeId: store.id, id: orderId }))) throw notFound('The order')
  const key = { projectId: store.projectId, id: orderId }
  const { count: removed } = await deleteTags(tx, key, remove)
  const added = add.length > 0 ? await addTags(tx, key, add) : 0
  const tags = await listTags(tx, key)
  if (tags.length > TAG_LIMITS.perOrder) throw tagErrors.tooManyTags({ max: TAG_LIMITS.perOrder }, { field: ['add'] })
  const isChanged = removed + added > 0
  if (isChanged) await publish(tx, 'order.annotated', { projectId: store.projectId, orderId })
  return { tags, isChanged }
}

async function addTags(tx: Tx, key: { readonly projectId: string; readonly id: string }, add: readonly string[]): Promise<number> {
  await lockStoreTags(tx, key.projectId)
  const fresh = await countNewTags(tx, key.projectId, add)
  if (fresh > 0 && fresh + (await countStoreTags(tx, key.projectId, TAG_LIMITS.perStore)) > TAG_LIMITS.perStore)
    throw tagErrors.tooManyStoreTags({ max: TAG_LIMITS.perStore }, { field: ['add'] })
  return (await insertTags(tx, key, add)).count
}
