import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { smallestUnitOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalNumber, min } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { createOrder } from '../create/create.ts'
import { orderErrors } from '../orders.errors.ts'
import type { OrderRow } from '../orders.queries.ts'
import type { Exchange, NewExchange } from './returns.model.ts'
import { type ReturningLine, sumCredits } from './returns.queries.ts'

const DESCRIPTION_MAX = 500

/**
 * Creates the order that replaces returned goods: priced from the catalogue, less the credit for them. Its courier collects goods that are
 * still awaited, unless the customer sends them.
 */
export async function createExchange(
  tx: Tx,
  store: Store,
  order: OrderRow,
  coming: readonly ReturningLine[],
  { items, credit: asked, atTheDoor = true, isAwaited }: NewExchange & { readonly isAwaited: boolean },
): Promise<Exchange> {
  const most = orderValueOf(order) - decimal(await sumCredits(tx, order))
  const credit =
    asked === undefined
      ? min(creditFor(order, coming, store.currencyCode), most)
      : parseMoney(asked, ['exchange', 'credit'], store.currencyCode)
  if (credit > most) throw orderErrors.creditTooHigh({ most: decimalNumber(most) }, { field: ['exchange', 'credit'] })
  const { customerName: name, customerPhone: phone, customerPhoneAlt: phoneAlt, customerEmail: email, destination } = order
  const { country, stateCode, cityName, address, deliveryType, pickupId } = destination
  const made = await createOrder(
    tx,
    store,
    {
      storeId: store.id,
      customer: { name, phone, phoneAlt, email },
      destination: { country, stateCode, cityName, address, deliveryType, pickupId },
      items,
    },
    {
      source: 'member',
      address: '',
      itemsPath: ['exchange', 'items'],
      replaces: {
        exchangeOf: order.id,
        takesBack: isAwaited && atTheDoor ? describeGoods(coming) : null,
        offer: { kind: 'credit', value: decimalNumber(credit), minimumSubtotal: 0 },
      },
    },
  )
  const used = min(credit, decimal(made.totals.discount))
  return { order: made, credit: decimalNumber(credit), left: decimalNumber(credit - used) }
}

/** Value of an order for its customer: the total and the credit that it used. */
const orderValueOf = ({ total, discount, offer }: OrderRow): Decimal => decimal(total) + (offer?.kind === 'credit' ? decimal(discount) : 0n)

/**
 * Credit for returned goods: their prices less their share of the order's discount. A credit of the order is not a discount, because it was
 * paid.
 */
function creditFor({ subtotal, discount, offer }: OrderRow, coming: readonly ReturningLine[], currency: string): Decimal {
  const goods = coming.reduce((sum, { unitPrice, returning: quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)
  const isOfGoods = offer?.kind !== 'credit' && offer?.kind !== 'free_shipping'
  const all = decimal(subtotal)
  const off = isOfGoods && all > 0n ? (goods * decimal(discount) + all - 1n) / all : 0n
  const worth = goods > off ? goods - off : 0n
  return worth - (worth % smallestUnitOf(currency))
}

const describeGoods = (coming: readonly ReturningLine[]) =>
  coming
    .map(({ name, returning: quantity }) => `${name} x${quantity}`)
    .join(', ')
    .slice(0, DESCRIPTION_MAX)
    .toWellFormed()
