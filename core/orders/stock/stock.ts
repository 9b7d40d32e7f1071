import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { namespaceOf } from '../../shop/catalog/products.ts'
import { findStockLevels } from '../../shop/inventory/find-stock-levels.ts'
import { fulfillReservation } from '../../shop/inventory/reservations/fulfill-reservation.ts'
import { receiveReturnOfReservation } from '../../shop/inventory/reservations/receive-return.ts'
import { releaseReservation } from '../../shop/inventory/reservations/release-reservation.ts'
import { reserveStock } from '../../shop/inventory/reservations/reserve-stock.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'
import { returnedByKey } from '../returns/returned.ts'
import type { Goods } from '../statuses.ts'

interface Blame {
  /** Where the caller finds the lines. */
  readonly at?: string
  /** Strangers learn that something is not available, not how many there are. */
  readonly isPublic?: boolean
}

/** Reserves what the lines take; null where none keeps stock. Throws `reserved_stock_conflict`, naming each line that lacks something. */
export async function reserveLines(
  tx: Tx,
  store: Store,
  reference: string,
  lines: readonly LineRow[],
  blame: Blame = {},
): Promise<string | null> {
  const legs = legsOf(store, lines)
  if (legs.length === 0) return null
  const wanted = legs.map(({ namespace, key, quantity }) => ({ namespace, key, quantity }))
  const legAt = (path: string) => invariant(legs[Number(/^\/body\/legs\/(\d+)/.exec(path)?.[1])], 'What a shortage is of')
  const reservation = await reserveStock(tx, store.projectId, { reference, expiresAt: null, legs: wanted, ofOrder: true }).catch(
    (error) => {
      throw error instanceof ApiError && error.code === 'reserved_stock_conflict' ? lackingLines(error, legAt, blame) : error
    },
  )
  return reservation.id
}

/** What of these lines is taken from the shelf. */
function legsOf(store: Store, lines: readonly LineRow[]) {
  const namespace = namespaceOf(store)
  return lines.flatMap(({ inventoryKey: key, quantity, name }, line) => (key === null ? [] : [{ namespace, key, quantity, name, line }]))
}

/** Whether there is now what `reserveLines` would take; nothing is held. Throws as that does. */
export async function assertInStock(
  sql: Queryable,
  store: Store,
  lines: readonly LineRow[],
  { at = '/items', isPublic }: Blame,
): Promise<void> {
  const legs = legsOf(store, lines)
  const stocks = legs.length === 0 ? new Map() : await findStockLevels(sql, store.projectId, legs)
  const left = new Map(legs.map(({ namespace, key }) => [key, decimal(stocks.get(`${namespace}/${key}`)?.available ?? 0)]))
  const details = legs.flatMap(({ key, quantity, name, line }) => {
    const [free, asked] = [left.get(key) ?? 0n, decimal(quantity)]
    left.set(key, free > asked ? free - asked : 0n)
    if (free >= asked) return []
    const message = isPublic ? shortOf(name) : `${name}: ${decimalNumber(free)} free, ${quantity} asked.`
    return [{ path: `${at}/${line}/quantity`, message }]
  })
  if (details.length > 0) throw new ApiError('reserved_stock_conflict', SHORT, { details })
}

const SHORT = 'Something is not available in the quantity asked for; see details.'
const shortOf = (name: string) => `${name} is not available in this quantity.`

interface Lacking {
  readonly line: number
  readonly name: string
}

function lackingLines(error: ApiError, legAt: (path: string) => Lacking, { at = '/items', isPublic }: Blame) {
  const details = error.extra.details?.map(({ path, message }) => {
    const { line, name } = legAt(path)
    return { path: `${at}/${line}/quantity`, message: isPublic ? shortOf(name) : `${name}: ${message}` }
  })
  const message = isPublic ? SHORT : error.message
  return new ApiError('reserved_stock_conflict', message, { ...(details && { details }) })
}

/** What an order's goods are now. */
const goodsOf = ({ reservationId, fulfilmentId }: Pick<OrderRow, 'reservationId' | 'fulfilmentId'>): Goods =>
  fulfilmentId ? 'taken' : reservationId ? 'reserved' : 'back'

export interface Held {
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
}

/** Who holds goods: an order, or a part of one. */
type Holder = Held & Pick<OrderRow, 'storeId' | 'id' | 'reference'>

/**
 * Moves an order's goods to where `goods` says, and gives what it holds then. Asking for what is so already does nothing. `already`: what of
 * them came back before, by key.
 */
export async function moveGoods(
  tx: Tx,
  store: Store,
  order: Holder,
  goods: Goods,
  already = () => returnedByKey(tx, order),
): Promise<Held> {
  const now = goodsOf(order)
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
