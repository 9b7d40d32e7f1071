import { RowMemory, type VersionedRow } from '../../../data/row-memory.ts'
import type { Queryable } from '../../../data/sql.ts'
import { DomainError, notFound } from '../../../lib/errors/domain-error.ts'
import { storeErrors } from '../stores.errors.ts'
import type { Store } from '../stores.model.ts'
import { findVersionedStore } from '../stores.queries.ts'

interface VersionedStore extends VersionedRow {
  readonly store: Store
}

/** At most 40 MB: 2,000 stores of 20,000 characters each. */
const memory = new RowMemory<VersionedStore>({ rows: 2_000, charsPerRow: 20_000 })
/** Versions of the stores that this file returned, by the object. */
const versions = new WeakMap<Store, string>()

/** Signals that a remembered store has changed. {@link withCurrentStore} starts again with the store as it is. */
class StoreChanged extends Error {
  override readonly name = 'StoreChanged'
}

/**
 * Returns a store from memory, else from the database. It may be old: its use case runs in {@link withCurrentStore} and calls
 * {@link assertStoreCurrent} in its transaction. Undefined where it does not exist.
 */
export async function recallStore(sql: Queryable, id: string): Promise<Store | undefined> {
  return memory.recall(id)?.store ?? loadStore(sql, id)
}

async function loadStore(sql: Queryable, id: string): Promise<Store | undefined> {
  const found = await findVersionedStore(sql, id)
  if (!found) memory.forget(id)
  else {
    memory.remember(id, found)
    versions.set(found.store, found.version)
  }
  return found?.store
}

/**
 * Throws where a store has changed since it was read. `version` is the one that the transaction sees; null where the store is deleted, or
 * has another country or currency. A store that was not recalled only throws `conflict` for null.
 */
export function assertStoreCurrent(store: Store, version: string | null): void {
  const remembered = versions.get(store)
  if (remembered !== undefined && remembered !== version) throw new StoreChanged('The store has changed since it was remembered.')
  if (version === null) throw storeErrors.pricesChanged()
}

/**
 * Runs a use case with a store that may be remembered. Where the store has changed, it runs again with the store as it is. So no refusal
 * follows from an old store either. Throws `not_found` where the store no longer exists.
 */
export async function withCurrentStore<V>(sql: Queryable, store: Store, work: (store: Store) => Promise<V>): Promise<V> {
  try {
    return await work(store)
  } catch (error) {
    const before = versions.get(store)
    if (before === undefined || !(error instanceof DomainError || error instanceof StoreChanged)) throw error
    const current = await loadStore(sql, store.id)
    if (!current) throw notFound('The store')
    if (versions.get(current) === before) throw error
    // The copy has no version. It was read for this request, and a store that changes all the time must not be refused for ever.
    return work({ ...current })
  }
}
