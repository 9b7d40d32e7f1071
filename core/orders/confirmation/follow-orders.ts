import type { Tx } from '../../data/sql.ts'
import type { OrderChange } from '../changes/changes.model.ts'
import { unconfirmedStatuses } from '../statuses.ts'
import { enqueueOrders, type FollowedOrder, removeFromQueue, updateQueue } from './follow-orders.queries.ts'

/** Columns of an order that the queue follows. */
const FOLLOWED = ['status', 'deleted_at', 'assigned_to', 'metadata', 'customer_phone', 'customer_phone_alt']

/** Keeps the queue in step with orders: which of them wait for a call, who may take it, and when it is due. */
export async function followOrders(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const orders = new Map<string, Mutable<FollowedOrder>>()
  for (const change of changes) {
    if (change.changed !== null && !change.changed.some((name) => FOLLOWED.includes(name))) continue
    const { projectId, orderId } = change
    const order = orders.get(`${projectId} ${orderId}`) ?? { projectId, orderId, ...AT_FIRST }
    orders.set(`${projectId} ${orderId}`, order)
    apply(order, change)
  }
  const all = [...orders.values()]
  const left = all.filter((order) => order.hasLeft)
  const entered = all.filter((order) => order.enteredAt !== null)
  const updated = all.filter((order) => order.isUpdated)
  if (left.length > 0) await removeFromQueue(tx, left)
  if (entered.length > 0) await enqueueOrders(tx, entered)
  if (updated.length > 0) await updateQueue(tx, updated)
}

type Mutable<V> = { -readonly [K in keyof V]: V[K] }

const AT_FIRST = { hasLeft: false, enteredAt: null, isUpdated: false, newPhoneAt: null, calledAt: null, isPhoneLast: false }

const isWaiting = (status: string | null) => (unconfirmedStatuses as readonly (string | null)[]).includes(status)

/** Applies one change to what a batch says of its order. */
function apply(order: Mutable<FollowedOrder>, { changed, fromStatus, toStatus, at }: OrderChange): void {
  const has = (name: string) => changed?.includes(name) ?? false
  if (!isWaiting(toStatus) || has('deleted_at')) return void Object.assign(order, { ...AT_FIRST, hasLeft: true })
  if (changed === null || !isWaiting(fromStatus)) return void Object.assign(order, { ...AT_FIRST, hasLeft: order.hasLeft, enteredAt: at })
  order.isUpdated = true
  if (has('customer_phone') || has('customer_phone_alt')) Object.assign(order, { newPhoneAt: at, isPhoneLast: true })
  // A status other than pending was set by an agent who has just called.
  else if (has('status') && toStatus !== 'pending') Object.assign(order, { calledAt: at, isPhoneLast: false })
}
