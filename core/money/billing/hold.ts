import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../http/errors/errors.ts'
import { holdStore, lockSubscription, type SubscriptionRow } from './subscriptions.queries.ts'

/** The subscription of a store that is there, both held until the transaction ends. Throws `not_found` where it was deleted meanwhile. */
export async function holdSubscription(tx: Tx, storeId: string): Promise<SubscriptionRow> {
  if (!(await holdStore(tx, storeId))) throw notFound('The store')
  return lockSubscription(tx, storeId)
}
