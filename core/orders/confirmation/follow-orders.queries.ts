import { json, type Queryable, type Tx } from '../../data/sql.ts'

/** Changes of an order in a batch, as far as its place in the queue goes. */
export interface FollowedOrder {
  readonly projectId: string
  readonly orderId: string
  /** It stopped waiting for a call; it may have come back since. */
  readonly hasLeft: boolean
  /** Time at which it last began to wait; null if it waited before. */
  readonly enteredAt: string | null
  /** It was changed while it waited. */
  readonly isUpdated: boolean
  readonly newPhoneAt: string | null
  readonly calledAt: string | null
  /** The new phone number came after the call. */
  readonly isPhoneLast: boolean
}

/** Time by which a new order comes before repeated calls that are due. */
const HEAD_START = '30 minutes'
/** Pause after an agent set the status by hand, since they have just called. */
const PAUSE_AFTER_CALL = '1 hour'

const rowsOf = (sql: Queryable, orders: readonly FollowedOrder[]) => sql`jsonb_to_recordset(${json(sql, orders)}) as r (
    "projectId" text, "orderId" text, "enteredAt" timestamptz, "newPhoneAt" timestamptz, "calledAt" timestamptz, "isPhoneLast" boolean)`

/** Removes orders from the queue, with their leases. */
export const removeFromQueue = async (sql: Tx, orders: readonly FollowedOrder[]) =>
  void (await sql`delete from confirmation_queue q using ${rowsOf(sql, orders)} where q.project_id = r."projectId" and q.order_id = r."orderId"`)

/** Adds the orders that still wait for a call. */
export const enqueueOrders = async (sql: Tx, orders: readonly FollowedOrder[]) =>
  void (await sql`insert into confirmation_queue (project_id, order_id, due_at, language, skill, assigned_to)
    select o.project_id, o.id, r."enteredAt" - ${HEAD_START}::interval, o.metadata ->> 'language', o.metadata ->> 'skill', o.assigned_to
    from ${rowsOf(sql, orders)} join orders o on o.project_id = r."projectId" and o.id = r."orderId"
    where confirmation_waits(o.status, o.deleted_at) order by o.project_id, o.id on conflict do nothing`)

/** Updates the agent and the tags of orders, and when they are due: with another number at once, and after a call later. */
export const updateQueue = async (sql: Tx, orders: readonly FollowedOrder[]) => {
  const afterCall = sql`r."calledAt" + ${PAUSE_AFTER_CALL}::interval`
  await sql`update confirmation_queue q set language = o.metadata ->> 'language', skill = o.metadata ->> 'skill', assigned_to = o.assigned_to,
      attempts = case when r."newPhoneAt" is null then q.attempts else 0 end,
      due_at = case when r."isPhoneLast" then least(greatest(q.due_at, ${afterCall}), r."newPhoneAt")
        else greatest(least(q.due_at, r."newPhoneAt"), ${afterCall}) end
    from ${rowsOf(sql, orders)} join orders o on o.project_id = r."projectId" and o.id = r."orderId"
    where q.project_id = r."projectId" and q.order_id = r."orderId"`
}
