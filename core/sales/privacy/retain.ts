import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { listOutdated, listRetaining } from './erasures.queries.ts'
import { requestErasure } from './request-erasure.ts'

const STORES_AT_ONCE = 100
/** People of one erasure: its background work goes through the store's logs once for all of them. */
const PEOPLE_AT_ONCE = 200
/** Erasures of one store in one night. */
const ERASURES_MAX = 50

/** Erases customers whose last order is older than their store keeps personal data. */
export async function retainPeople(context: Context, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const stores = await listRetaining(context.sql, after, STORES_AT_ONCE)
    for (const { id, days } of stores) await retainOf(context, id, days, signal)
    const last = stores.at(-1)
    if (!last || stores.length < STORES_AT_ONCE || signal.aborted) return
    after = last.id
  }
}

async function retainOf(context: Context, storeId: string, days: number, signal: AbortSignal) {
  const store = await findStore(context.sql, storeId)
  for (let erasures = 0; store && erasures < ERASURES_MAX && !signal.aborted; erasures += 1) {
    const outdated = await listOutdated(context.sql, storeId, days, PEOPLE_AT_ONCE)
    if (outdated.length === 0) return
    await transaction(context.sql, (tx) => requestErasure(context, tx, store, 'retention', { customerIds: outdated.map(({ id }) => id) }))
  }
}
