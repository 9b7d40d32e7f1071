import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { decimal, decimalNumber, min } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { lockOrderWithParcels } from '../change/lock-order.ts'
import { orderErrors } from '../orders.errors.ts'
import { findOrder } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import { endedStatuses } from '../statuses.ts'
import { presentReturn, readReturnable, receiveGoods, returnLinesOf, selectReturningLines } from './return-order.ts'
import type { OrderReturn, ReturnReceipt, StoredReturn } from './returns.model.ts'
import { findReturn, type ReturnKey, type ReturnRow, replaceReturnLines, updateAwaitedReturn } from './returns.queries.ts'

/**
 * Receives all or some goods of an awaited return, and puts them into stock. Throws `not_found`, `invalid_transition` when it is no longer
 * awaited, `return_too_large` for more than was awaited.
 */
export async function receiveReturn(
  tx: Tx,
  store: Store,
  key: ReturnKey,
  { restock = true, ...said }: ReturnReceipt,
): Promise<OrderReturn> {
  const locked = await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId: key.orderId })
  const before = await findAwaited(tx, key)
  const items = said.items ?? presentReturn(before).items
  for (const [at, { item, quantity }] of items.entries()) {
    const most = before.lines.find(({ line }) => line === item + 1)?.quantity ?? 0
    if (quantity <= most) continue
    const issues = [{ field: ['items', at, 'quantity'], message: `At most ${most} are awaited.` }]
    throw orderErrors.moreThanAwaited({ issues })
  }
  const returnable = await readReturnable(tx, store, locked, key.id)
  const coming = selectReturningLines(returnable.lines, { items })
  const note = said.note ?? before.note
  let row: ReturnRow = before
  const lines = returnLinesOf(coming)
  const order = await receiveGoods(tx, store, returnable, coming, {
    restock,
    note,
    async saveReturn(taken) {
      const change = { ...taken, status: 'received' as const, receivedAt: new Date().toISOString(), note }
      // A concurrent change that ended the return takes precedence.
      if (!(await updateAwaitedReturn(tx, key, change))) throw notAwaitedError(await findExisting(tx, key))
      await replaceReturnLines(tx, key, lines)
      row = { ...row, ...change }
    },
  })
  return { ...presentReturn({ ...row, lines }), order, exchange: await presentExchange(tx, row) }
}

/** Cancels an awaited return. Throws `not_found`, and `invalid_transition` when it has ended or its exchange order is under way. */
export async function cancelReturn(tx: Tx, store: Store, key: ReturnKey): Promise<StoredReturn> {
  await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId: key.orderId })
  const before = await findAwaited(tx, key)
  const instead = before.exchangeOrderId === null ? undefined : await findOrder(tx, { storeId: store.id, id: before.exchangeOrderId })
  if (instead && instead.status !== 'delivered' && !endedStatuses.includes(instead.status))
    throw orderErrors.replacementOpen({ id: instead.id, status: instead.status })
  if (!(await updateAwaitedReturn(tx, key, { status: 'cancelled' }))) throw notAwaitedError(await findExisting(tx, key))
  return presentReturn({ ...before, status: 'cancelled' })
}

async function findAwaited(tx: Tx, key: ReturnKey) {
  const found = await findExisting(tx, key)
  if (found.status !== 'awaited') throw notAwaitedError(found)
  return found
}

async function findExisting(tx: Tx, key: ReturnKey) {
  const found = await findReturn(tx, key)
  if (!found) throw notFound('The return')
  return found
}

const notAwaitedError = ({ status }: ReturnRow) => orderErrors.returnClosed({ status })

async function presentExchange(tx: Tx, { storeId, exchangeOrderId }: ReturnRow): Promise<OrderReturn['exchange']> {
  const order = exchangeOrderId === null ? undefined : await findOrder(tx, { storeId, id: exchangeOrderId })
  if (!order) return null
  const credit = decimal(order.offer?.value ?? 0)
  const used = min(credit, decimal(order.discount) - decimal(order.discountByHand))
  return { order: presentOrder(order), credit: decimalNumber(credit), left: decimalNumber(credit - used) }
}
