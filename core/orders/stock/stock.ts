import type { Queryable, Tx } from '../../data/sql.ts'
import { DomainError, type FieldPath, relayError } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { namespaceOf } from '../../shop/catalog/products.ts'
import { findStockLevels } from '../../shop/inventory/find-stock-levels.ts'
import { fulfillReservation } from '../../shop/inventory/reservations/fulfill-reservation.ts'
import { receiveReturnOfReservation } from '../../shop/inventory/reservations/receive-return.ts'
import { releaseReservation } from '../../shop/inventory/reservations/release-reservation.ts'
import { type PlannedReservation, planReservation, saveReservation } from '../../shop/inventory/reservations/reserve-stock.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'
import { readReturnedByKey } from '../returns/returned-quantities.ts'
import type { GoodsState } from '../statuses.ts'

interface ShortageOptions {
  /** Field of the lines in the caller's input, for errors. */
  readonly at?: FieldPath
  /** True hides the available quantities from clients without an account. */
  readonly isPublic?: boolean
}

/**
 * Reserves the stock of lines and emits its events. Returns the id of the reservation; null when no line is in the inventory. Throws
 * `reserved_stock_conflict` with a detail for each line that is short.
 */
export async function reserveLines(
  tx: Tx,
  store: Store,
  reference: string,
  lines: readonly LineRow[],
  blame: ShortageOptions = {},
): Promise<string | null> {
  const planned = await planLines(tx, store, reference, lines, blame)
  if (!planned) return null
  await Promise.all([saveReservation(tx, planned), emitWebhook(tx, planned.events)])
  return planned.head.id
}

/**
 * Locks the stock of lines and plans their reservation, which the caller writes with `saveReservation`. Returns null when no line is in the
 * inventory. Throws as {@link reserveLines}.
 */
export async function planLines(
  tx: Tx,
  store: Store,
  reference: string,
  lines: readonly LineRow[],
  blame: ShortageOptions = {},
): Promise<PlannedReservation | null> {
  const legs = stockLegsOf(store, lines)
  if (legs.length === 0) return null
  const wanted = legs.map(({ namespace, key, quantity }) => ({ namespace, key, quantity }))
  const lineAt = ([, leg]: FieldPath) => invariant(legs[Number(leg)], 'The line of a short leg')
  return planReservation(tx, store.projectId, { reference, expiresAt: null, legs: wanted, ofOrder: true }).catch((error) => {
    throw error instanceof DomainError && error.code === 'reserved_stock_conflict' ? shortageError(error, lineAt, blame) : error
  })
}

/** Inventory legs of the lines that are in the inventory. */
function stockLegsOf(store: Store, lines: readonly LineRow[]) {
  const namespace = namespaceOf(store)
  return lines.flatMap(({ inventoryKey: key, quantity, name }, line) => (key === null ? [] : [{ namespace, key, quantity, name, line }]))
}

/**
 * Throws `reserved_stock_conflict` when `reserveLines` would throw it now. Reserves nothing. `own` are lines whose reservation the new lines
 * would replace.
 */
export async function assertInStock(
  sql: Queryable,
  store: Store,
  lines: readonly LineRow[],
  { at = ['items'], isPublic, own = [] }: ShortageOptions & { readonly own?: readonly LineRow[] },
): Promise<void> {
  const legs = stockLegsOf(store, lines)
  const stocks = legs.length === 0 ? new Map() : await findStockLevels(sql, store.projectId, legs)
  const left = new Map(legs.map(({ namespace, key }) => [key, decimal(stocks.get(`${namespace}/${key}`)?.available ?? 0)]))
  for (const { key, quantity } of stockLegsOf(store, own)) {
    const free = left.get(key)
    if (free !== undefined) left.set(key, free + decimal(quantity))
  }
  const issues = legs.flatMap(({ key, quantity, name, line }) => {
    const [free, asked] = [left.get(key) ?? 0n, decimal(quantity)]
    left.set(key, free > asked ? free - asked : 0n)
    if (free >= asked) return []
    const message = isPublic ? shortageOf(name) : `${name}: ${decimalNumber(free)} free, ${quantity} asked.`
    return [{ field: [...at, line, 'quantity'], message }]
  })
  if (issues.length > 0) throw orderErrors.itemsUnavailable({ issues })
}

const shortageOf = (name: string) => `${name} is not available in this quantity.`

interface ShortLine {
  readonly line: number
  readonly name: string
}

function shortageError(error: DomainError, lineAt: (field: FieldPath) => ShortLine, { at = ['items'], isPublic }: ShortageOptions) {
  const issues = error.issues.map(({ field, message }) => {
    const { line, name } = lineAt(field)
    return { field: [...at, line, 'quantity'], message: isPublic ? shortageOf(name) : `${name}: ${message}` }
  })
  return isPublic ? orderErrors.itemsUnavailable({ issues }) : relayError('reserved_stock_conflict', error.message, { issues })
}

/** Current state of the goods of an order. */
const goodsStateOf = ({ reservationId, fulfilmentId }: Pick<OrderRow, 'reservationId' | 'fulfilmentId'>): GoodsState =>
  fulfilmentId ? 'taken' : reservationId ? 'reserved' : 'back'

/** Reservation and fulfilment of goods. */
export interface StockHolding {
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
}

/** Holder of goods: an order or a part of one. */
type StockHolder = StockHolding & Pick<OrderRow, 'storeId' | 'id' | 'reference'>

/**
 * Moves the goods of an order to another state, and returns their reservation and fulfilment. Does nothing when they are in that state.
 * `already` reads the quantities returned before, by inventory key.
 */
export async function moveGoods(
  tx: Tx,
  store: Store,
  order: StockHolder,
  goods: GoodsState,
  already = () => readReturnedByKey(tx, order),
): Promise<StockHolding> {
  const now = goodsStateOf(order)
  const { reservationId, fulfilmentId, reference } = order
  if (now === goods || (now === 'taken' && goods === 'reserved')) return { reservationId, fulfilmentId }
  if (goods === 'taken' && reservationId) {
    const operation = await fulfillReservation(tx, store.projectId, reservationId, { reference })
    return { reservationId, fulfilmentId: operation.id }
  }
  if (goods === 'back' && fulfilmentId)
    await receiveReturnOfReservation(tx, store.projectId, invariant(reservationId, 'The reservation of goods that were taken'), {
      already: await already(),
      reference,
    })
  else if (goods === 'back' && reservationId) await releaseReservation(tx, store.projectId, reservationId)
  return { reservationId: null, fulfilmentId: null }
}
