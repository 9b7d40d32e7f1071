import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../http/errors/errors.ts'
import { lockStore, lockSubscription, type SubscriptionRow } from './subscriptions.queries.ts'

/** Locks a store against deletion and its subscription, until the transaction ends. Throws `not_found` if the store was deleted. */
export async function lockStoreSubscription(tx: Tx, storeId: string): Promise<SubscriptionRow> {
  if (!(await lockStore(tx, storeId))) throw notFound('The store')
  return lockSubscription(tx, storeId)
}
