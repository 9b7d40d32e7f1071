import type { Logger } from 'pino'
import { isConnectionError } from '../../data/database/database.ts'
import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { OrderChange } from './changes.model.ts'
import {
  type ChangesScope,
  hasChanges,
  listDueSlots,
  lockSlot,
  lockSlotIfFree,
  lockSlotOfStore,
  postponeFirstChange,
  takeChanges,
} from './changes.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /**
     * Orders were created or changed, by any statement, usually within the last second. Background work publishes the changes in batches, so
     * that subscribers work on many orders in one statement. Changes of one order come in their order, and the order may have changed since.
     */
    'orders.changed': { readonly changes: readonly OrderChange[] }
  }
}

/** Changes of one transaction. */
const CHANGES_AT_ONCE = 500
/** Batches that a caller waits for who needs the effects of the changes. */
const BATCHES_MAX = 40
const PUT_OFF_MINUTES_MAX = 60

/** Publishes a batch of changes in the transaction that deletes them. The caller has locked their slot. Returns their number. */
async function publishChanges(tx: Tx, scope: ChangesScope, limit: number): Promise<number> {
  const changes = await takeChanges(tx, scope, limit)
  if (changes.length > 0) await publish(tx, 'orders.changed', { changes })
  return changes.length
}

type Needs = { readonly sql: Sql; readonly log: Logger }

/**
 * Publishes a batch of changes of a slot. Unless `waits`, does nothing while another process works on the slot. Returns true if more may be
 * left. A change whose subscriber fails is found in ever smaller batches, and is put off together with the others of its order.
 */
export async function drainSlot(
  needs: Needs,
  slot: number,
  { waits }: { readonly waits: boolean },
  limit = CHANGES_AT_ONCE,
): Promise<boolean> {
  const { sql, log } = needs
  const lock = async (tx: Tx) => (waits ? lockSlot(tx, slot) : lockSlotIfFree(tx, slot))
  try {
    const count = await transaction(sql, async (tx) => ((await lock(tx)) ? publishChanges(tx, { slot }, limit) : 0))
    return count === limit
  } catch (err) {
    if (isConnectionError(err)) throw err
    if (limit > 1) return drainSlot(needs, slot, { waits }, Math.ceil(limit / 10))
    log.error({ err, slot }, 'a change of an order could not be published; it is tried again later')
    await transaction(sql, async (tx) => {
      if (await lock(tx)) await postponeFirstChange(tx, slot, PUT_OFF_MINUTES_MAX)
    })
    return true
  }
}

/** Publishes all changes that were committed before now, for work that begins with changed orders. Bounded: the rest comes later. */
export async function drainChanges(needs: Needs): Promise<void> {
  for (const slot of await listDueSlots(needs.sql))
    for (let batches = 0; batches < BATCHES_MAX; batches += 1) if (!(await drainSlot(needs, slot, { waits: true }))) break
}

/** Publishes the changes of a store that were committed before now, for a caller who needs their effects. Bounded: the rest comes later. */
export async function drainStore(sql: Sql, storeId: string): Promise<void> {
  for (let batches = 0; batches < BATCHES_MAX; batches += 1) {
    if (!(await hasChanges(sql, { storeId }))) return
    const count = await transaction(sql, async (tx) => {
      await lockSlotOfStore(tx, storeId)
      return publishChanges(tx, { storeId }, CHANGES_AT_ONCE)
    })
    if (count < CHANGES_AT_ONCE) return
  }
}

/** Publishes the changes of some orders that were committed before now, ahead of a transaction that would hold their slot for long. */
export async function drainOrdersFirst(sql: Sql, storeId: string, orderIds: readonly string[]): Promise<void> {
  if (await hasChanges(sql, { storeId, orderIds })) await transaction(sql, (tx) => drainOrders(tx, storeId, orderIds))
}

/**
 * Publishes the changes of some orders in the caller's transaction, its own among them. Locks their slot until the transaction ends, unless
 * none waits. A caller that waits for locks of stock does so before.
 */
export async function drainOrders(tx: Tx, storeId: string, orderIds: readonly string[]): Promise<void> {
  if (!(await hasChanges(tx, { storeId, orderIds }))) return
  await lockSlotOfStore(tx, storeId)
  while ((await publishChanges(tx, { storeId, orderIds }, CHANGES_AT_ONCE)) === CHANGES_AT_ONCE);
}
