import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { OrderChange } from './changes.model.ts'

/** Slots that share the changes of all projects; the trigger computes the slot of a project. */
const SLOTS = 8
/** Class of the advisory locks of slots. All processes must use the same number. */
const LOCK_CLASS = 7_233_040

const slotOf = (sql: Queryable, storeId: string) => sql`(hashtext(${projectIdOf(storeId)}) & ${SLOTS - 1})`

/** Lists the slots with changes that are due. */
export const listDueSlots = async (sql: Queryable): Promise<number[]> =>
  (
    await sql<{ slot: number }[]>`select slot from generate_series(0, ${SLOTS - 1}) slot
      where exists (select 1 from order_changes c where c.slot = slot.slot and c.due_at <= now())`
  ).map(({ slot }) => slot)

/** Locks a slot until the transaction ends. Returns false if another transaction has it. */
export const lockSlotIfFree = async (sql: Tx, slot: number): Promise<boolean> =>
  (await sql<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK_CLASS}, ${slot}) as is_free`)[0]?.isFree ?? false

/** Waits for a slot, and locks it until the transaction ends. */
export const lockSlot = async (sql: Tx, slot: number): Promise<true> => {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, ${slot})`
  return true
}

/** Waits for the slot of a store's changes, and locks it until the transaction ends. */
export const lockSlotOfStore = async (sql: Tx, storeId: string) =>
  void (await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, ${slotOf(sql, storeId)})`)

/** Changes to read: those of a slot, of a store, or of some of its orders. */
export type ChangesScope = { readonly slot: number } | { readonly storeId: string; readonly orderIds?: readonly string[] }

const changesIn = (sql: Queryable, scope: ChangesScope) => {
  if ('slot' in scope) return sql`slot = ${scope.slot} and due_at <= now()`
  const ofStore = sql`project_id = ${projectIdOf(scope.storeId)} and due_at <= now()`
  return scope.orderIds === undefined ? ofStore : sql`${ofStore} and order_id = any (${scope.orderIds as string[]})`
}

/** Returns true while changes wait, among them those that another transaction publishes at this moment. */
export const hasChanges = async (sql: Queryable, scope: ChangesScope): Promise<boolean> =>
  (await sql`select 1 from order_changes where ${changesIn(sql, scope)} limit 1`).length > 0

/** Deletes and returns the oldest changes. The caller has locked their slot. */
export const takeChanges = async (sql: Tx, scope: ChangesScope, limit: number): Promise<OrderChange[]> => {
  const taken = await sql<OrderChange[]>`delete from order_changes where (project_id, order_id, id) in (
      select project_id, order_id, id from order_changes where ${changesIn(sql, scope)} order by id limit ${limit})
    returning id::text, project_id, order_id, at, changed, from_status, to_status, is_deleted`
  return taken.toSorted((a, b) => Number(a.id) - Number(b.id))
}

/** Puts off the oldest change of a slot, with all others of its order, so that it does not block the rest. */
export const postponeFirstChange = async (sql: Tx, slot: number, minutesMax: number) =>
  void (await sql`update order_changes set failures = failures + 1,
      due_at = now() + least(power(2, least(failures, 10)), ${minutesMax}) * interval '1 minute'
    where (project_id, order_id) = (
      select project_id, order_id from order_changes where slot = ${slot} and due_at <= now() order by id limit 1)`)

/** Returns the seconds for which the oldest change has waited; 0 if none waits. */
export const findLag = async (sql: Queryable): Promise<number> =>
  (
    await sql<{ seconds: number | null }[]>`select extract(epoch from now() - min(at))::float8 as seconds from (
      select (select at from order_changes c where c.slot = slot.slot order by id limit 1) as at from generate_series(0, ${SLOTS - 1}) slot) oldest`
  )[0]?.seconds ?? 0
