import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { type ErasureTarget, requestErasure } from './request-erasure.ts'
import { listOutdatedCustomers, listOutdatedRecipients, listRetainingStores, type RetainingStore } from './retention.queries.ts'
import { listKept, listOldFeedbacks, listOldShopOrders, type UnorderedRow } from './unordered.queries.ts'
import { contactsOf } from './unordered.ts'

const STORES_AT_ONCE = 100
/** Maximum number of people per erasure; its job reads the store's logs once for all of them. */
const PEOPLE_AT_ONCE = 200
/** Maximum number of erasures of a store per night. */
const ERASURES_MAX = 50

/** Erases customers and recipients whose last order or parcel is older than the retention period of their store. */
export async function eraseOutdatedPeople(context: Context, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const stores = await listRetainingStores(context.sql, after, STORES_AT_ONCE)
    for (const store of stores) await eraseOutdatedOfStore(context, store, signal)
    const last = stores.at(-1)
    if (!last || stores.length < STORES_AT_ONCE || signal.aborted) return
    after = last.id
  }
}

async function eraseOutdatedOfStore(context: Context, retaining: RetainingStore, signal: AbortSignal) {
  const store = await findStore(context.sql, retaining.id)
  if (!store) return
  let erasures = 0
  for await (const wanted of findOutdated(context, retaining, store.countryCode)) {
    if (signal.aborted || erasures >= ERASURES_MAX) return
    await transaction(context.sql, (tx) => requestErasure(context, tx, store, 'retention', wanted))
    erasures += 1
  }
}

/**
 * Finds people to erase, some at a time: customers first, with their parcels, then recipients them, then recipients, then those who have no order at all.
 * The next are looked for once these are being erased.
 */
async function* findOutdated({ sql }: Context, retaining: RetainingStore, country: string): AsyncGenerator<ErasureTarget> {
  for (;;) {
    const customers = await listOutdatedCustomers(sql, retaining, PEOPLE_AT_ONCE)
    if (customers.length === 0) break
    yield { customerIds: customers.map(({ id }) => id) }
  }
  for (;;) {
    const phones = await listOutdatedRecipients(sql, retaining, PEOPLE_AT_ONCE)
    if (phones.length === 0) break
    yield { phones }
  }
  for (const [list, name] of [
    [listOldFeedbacks, 'feedbackIds'],
    [listOldShopOrders, 'shopOrderIds'],
  ] as const)
    for (let after = ''; ; ) {
      const rows = await list(sql, retaining, after, PEOPLE_AT_ONCE)
      const ids = await withoutKept(sql, retaining, rows, country)
      if (ids.length > 0) yield { [name]: ids }
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
}

/** Leaves out the rows of people whom the store keeps for a later order or parcel: those go with them. */
async function withoutKept(sql: Context['sql'], retaining: RetainingStore, rows: readonly UnorderedRow[], country: string) {
  const people = rows.map((row) => ({ id: row.id, ...contactsOf(row, country) }))
  const [phones, emails] = [people.flatMap((each) => each.phones), people.flatMap((each) => each.emails)]
  const retained = new Set(await listKept(sql, retaining, phones, emails))
  return people.filter((each) => ![...each.phones, ...each.emails].some((contact) => retained.has(contact))).map(({ id }) => id)
}
