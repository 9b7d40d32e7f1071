import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { decimal, decimalNumber, min } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { holdOrder } from '../change/hold.ts'
import { findOrder } from '../orders.queries.ts'
import { present } from '../present.ts'
import { ended } from '../statuses.ts'
import { comingOf, linesOf, presentReturn, returnableOf, takeBack } from './return-order.ts'
import type { KeptReturn, OrderReturn, Receipt } from './returns.model.ts'
import { findReturn, type ReturnKey, type ReturnRow, replaceReturnLines, updateAwaited } from './returns.queries.ts'

/**
 * What was awaited has come, all or some of it: into stock, as with goods that nobody awaited. Throws `not_found`, `invalid_transition`
 * where it is awaited no more, `return_too_large` for more than was awaited.
 */
export async function receiveReturn(tx: Tx, store: Store, key: ReturnKey, { restock = true, ...said }: Receipt): Promise<OrderReturn> {
  const held = await holdOrder(tx, { projectId: store.projectId, storeId: store.id, orderId: key.orderId })
  const before = await awaited(tx, key)
  const items = said.items ?? presentReturn(before).items
  for (const [at, { item, quantity }] of items.entries()) {
    const most = before.lines.find(({ line }) => line === item + 1)?.quantity ?? 0
    if (quantity <= most) continue
    const details = [{ path: `/body/items/${at}/quantity`, message: `${most} of it are awaited.` }]
    throw new ApiError('return_too_large', 'More came than is awaited; return the others for themselves.', { details })
  }
  const returnable = await returnableOf(tx, store, held, key.id)
  const coming = comingOf(returnable.lines, { items })
  const note = said.note ?? before.note
  let kept: ReturnRow = before
  const lines = linesOf(coming)
  const order = await takeBack(tx, store, returnable, coming, {
    restock,
    note,
    async keep(taken) {
      const change = { ...taken, status: 'received' as const, receivedAt: new Date().toISOString(), note }
      // Whoever ended it while we worked has the last word.
      if (!(await updateAwaited(tx, key, change))) throw endedBy(await known(tx, key))
      await replaceReturnLines(tx, key, lines)
      kept = { ...kept, ...change }
    },
  })
  return { ...presentReturn({ ...kept, lines }), order, exchange: await exchangeOf(tx, kept) }
}

/** It does not come any more. While an order is sent in its place that is for this order to say. Throws `not_found`, `invalid_transition`. */
export async function cancelReturn(tx: Tx, store: Store, key: ReturnKey): Promise<KeptReturn> {
  await holdOrder(tx, { projectId: store.projectId, storeId: store.id, orderId: key.orderId })
  const before = await awaited(tx, key)
  const instead = before.exchangeOrderId === null ? undefined : await findOrder(tx, { storeId: store.id, id: before.exchangeOrderId })
  if (instead && instead.status !== 'delivered' && !ended.includes(instead.status))
    throw new ApiError(
      'invalid_transition',
      `Order ${instead.id} is sent in its place, and is ${instead.status}. Cancel that, and this is cancelled too.`,
    )
  if (!(await updateAwaited(tx, key, { status: 'cancelled' }))) throw endedBy(await known(tx, key))
  return presentReturn({ ...before, status: 'cancelled' })
}

async function awaited(tx: Tx, key: ReturnKey) {
  const found = await known(tx, key)
  if (found.status !== 'awaited') throw endedBy(found)
  return found
}

async function known(tx: Tx, key: ReturnKey) {
  const found = await findReturn(tx, key)
  if (!found) throw notFound('The return')
  return found
}

const endedBy = ({ status }: ReturnRow) => new ApiError('invalid_transition', `The return is ${status}; it is awaited no more.`)

async function exchangeOf(tx: Tx, { storeId, exchangeOrderId }: ReturnRow): Promise<OrderReturn['exchange']> {
  const order = exchangeOrderId === null ? undefined : await findOrder(tx, { storeId, id: exchangeOrderId })
  if (!order) return null
  const credit = decimal(order.offer?.value ?? 0)
  const used = min(credit, decimal(order.discount) - decimal(order.discountByHand))
  return { order: present(order), credit: decimalNumber(credit), left: decimalNumber(credit - used) }
}
