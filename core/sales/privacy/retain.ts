import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { requestErasure, type Wanted } from './request-erasure.ts'
import { listOutdatedCustomers, listOutdatedRecipients, listRetaining, type Retaining } from './retention.queries.ts'

const STORES_AT_ONCE = 100
/** People of one erasure: its background work goes through the store's logs once for all of them. */
const PEOPLE_AT_ONCE = 200
/** Erasures of one store in one night. */
const ERASURES_MAX = 50

/** Erases customers and recipients whose last order or parcel is older than their store keeps personal data. */
export async function retainPeople(context: Context, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const stores = await listRetaining(context.sql, after, STORES_AT_ONCE)
    for (const store of stores) await retainOf(context, store, signal)
    const last = stores.at(-1)
    if (!last || stores.length < STORES_AT_ONCE || signal.aborted) return
    after = last.id
  }
}

async function retainOf(context: Context, retaining: Retaining, signal: AbortSignal) {
  const store = await findStore(context.sql, retaining.id)
  for (let erasures = 0; store && erasures < ERASURES_MAX && !signal.aborted; erasures += 1) {
    const wanted = await outdated(context, retaining)
    if (!wanted) return
    await transaction(context.sql, (tx) => requestErasure(context, tx, store, 'retention', wanted))
  }
}

/** Finds the next people to erase: customers first, whose parcels go with them. Null where there are none. */
async function outdated({ sql }: Context, retaining: Retaining): Promise<Wanted | null> {
  const customers = await listOutdatedCustomers(sql, retaining, PEOPLE_AT_ONCE)
  if (customers.length > 0) return { customerIds: customers.map(({ id }) => id) }
  const phones = await listOutdatedRecipients(sql, retaining, PEOPLE_AT_ONCE)
  return phones.length > 0 ? { phones } : null
}
