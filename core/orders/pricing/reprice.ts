import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { ApiError, invalidValue } from '../../http/errors/errors.ts'
import { stripTypedCode } from '../../lib/clean-code.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Offer } from '../../shop/catalog/promos/promos.ts'
import { redeemPromo, releaseRedemptions } from '../../shop/catalog/promos/redeem-promo.ts'
import { releaseReservation } from '../../shop/inventory/reservations/release-reservation.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { amountsOf } from '../create/create.ts'
import type { OrderChange } from '../orders.model.ts'
import { deleteLines, insertLines, type LineRow, linesOfOrder, type OrderRow, type OrderValues } from '../orders.queries.ts'
import { reserveLines } from '../stock/stock.ts'
import { asSigned, type Signed } from './external-pricing.ts'
import { type AskedGoods, type ByHand, type Priced, type PricedElsewhere, price, priceElsewhere } from './price.ts'
import { assertFirst } from './promotion-uses.ts'

type Change = Pick<OrderChange, 'items' | 'promoCode' | 'discount' | 'deliveryPrice'> & Pick<OrderRow, 'destination'>

/** Whether somebody says what is taken off, or what delivery costs. */
export const saysAmounts = ({
  promoCode,
  discount,
  deliveryPrice,
}: Pick<OrderChange, 'promoCode' | 'discount' | 'deliveryPrice'>): boolean =>
  promoCode !== undefined || discount !== undefined || deliveryPrice !== undefined

/** Throws `invalid_transition` where what an order comes to cannot be said any more. */
export function assertOpenAmounts(order: OrderRow, change: OrderChange): void {
  if (order.isDivided && (change.items || saysAmounts(change)))
    throw new ApiError('invalid_transition', 'The order is divided into parcels: cancel those first, then change what is in it.')
  if (order.exchangeOf !== null && change.promoCode !== undefined)
    throw new ApiError('invalid_transition', 'The order replaces goods: what those count for stands where a promotion would.')
}

/**
 * What an order comes to after a change, and its lines anew where it has others: priced from the catalogue, and reserved in place of those that
 * it had. `isElsewhere`: delivery is priced anew; `phone`: its customer's after the change. Throws `product_unavailable`, `invalid_promo`,
 * `reserved_stock_conflict`, `invalid_request`.
 */
export async function reprice(
  tx: Tx,
  store: Store,
  order: OrderRow,
  change: Change & { readonly isElsewhere: boolean; readonly phone: string },
  signed: Signed | undefined,
): Promise<OrderValues> {
  if (!change.items && signed) return {}
  const byHand = handOf(order, change, store.currencyCode)
  const isSame = change.promoCode && stripTypedCode(change.promoCode).toLowerCase() === order.promoCode?.toLowerCase()
  const code = isSame || change.promoCode === order.promoCode ? undefined : change.promoCode
  const { items, destination } = change
  const asked = { destination, byHand, promo: code === undefined ? promiseOf(order) : code }
  const priced: Priced | PricedElsewhere = items
    ? await goodsAnew(tx, store, { ...asked, items, lines: await linesOfOrder(tx, store.id, order.id) }, signed)
    : await priceElsewhere(tx, store, order, { ...asked, isSamePromo: code === undefined, isElsewhere: change.isElsewhere })
  if (change.discount && decimal(change.discount.amount) > priced.subtotal)
    throw invalidValue('/body/discount/amount', 'More than what the goods cost.')
  if (code !== undefined) await useInstead(tx, { storeId: store.id, orderId: order.id, phone: change.phone }, priced.offer)
  const values = {
    ...amountsOf(priced),
    discountByHand: decimalText(priced.discountByHand),
    deliveryByHand: byHand.delivery === null ? null : decimalText(byHand.delivery),
    ...(code !== undefined && { promoCode: priced.offer?.code ?? code, offer: priced.offer }),
  }
  await noteAmounts(tx, store, order, change, values)
  if (!priced.lines) return values
  await noteLines(tx, store, order, priced.lines, values)
  return { ...values, reservationId: await putLines(tx, store, order, priced.lines) }
}

async function goodsAnew(tx: Tx, store: Store, asked: AskedGoods, signed: Signed | undefined): Promise<Priced> {
  return signed ? asSigned(await price(tx, store, { ...asked, promo: null }), signed) : price(tx, store, asked)
}

async function putLines(tx: Tx, store: Store, order: OrderRow, lines: Priced['lines']): Promise<string | null> {
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveLines(tx, store, order.reference, lines, { at: '/body/items' })
  await deleteLines(tx, store.id, order.id)
  await insertLines(tx, store.id, order.id, lines)
  return reservationId
}

const handOf = (order: OrderRow, { discount, deliveryPrice }: Change, currency: string): ByHand => ({
  discount: discount === undefined ? decimal(order.discountByHand) : parseMoney(discount?.amount ?? 0, '/body/discount/amount', currency),
  delivery:
    deliveryPrice === undefined
      ? keptDelivery(order)
      : deliveryPrice === null
        ? null
        : parseMoney(deliveryPrice, '/body/deliveryPrice', currency),
})

const keptDelivery = ({ deliveryByHand }: OrderRow): Decimal | null => (deliveryByHand === null ? null : decimal(deliveryByHand))

/** What its promotion promised stands, whatever became of the promotion; of what was not kept, what it took off. */
const promiseOf = ({ promoCode, offer, discount, discountByHand }: OrderRow): Offer | null =>
  offer ?? (promoCode === null ? null : { kind: 'fixed', value: promisedBy(discount, discountByHand), minimumSubtotal: 0 })

const promisedBy = (discount: string, byHand: string) => decimalNumber(decimal(discount) - decimal(byHand))

/** The promotion that it had others may use; the one that it has now counts as used. */
async function useInstead(tx: Tx, use: Parameters<typeof redeemPromo>[2], offer: Offer | null) {
  const { storeId, orderId, phone } = use
  await releaseRedemptions(tx, storeId, [orderId])
  if (offer?.firstOrderOnly) await assertFirst(tx, storeId, phone, orderId)
  await redeemPromo(tx, offer, use)
}

async function noteLines(tx: Tx, store: Store, order: OrderRow, lines: readonly LineRow[], after: OrderValues) {
  const was = (await linesOfOrder(tx, store.id, order.id)).map(lineNoted)
  const [before, is] = [
    { lines: was, ...amountsNoted(order) },
    { lines: lines.map(lineNoted), ...amountsNoted(after) },
  ]
  await recordAudit(tx, { storeId: store.id }, { what: 'order.lines_changed', thing: order.id, before, after: is })
}

async function noteAmounts(tx: Tx, store: Store, order: OrderRow, change: Change, after: OrderValues) {
  if (!saysAmounts(change)) return
  const { promoCode } = order
  const said = { promoCode, ...after, ...amountsNoted(after), ...(change.discount && { reason: change.discount.reason }) }
  const before = { promoCode, ...amountsNoted(order) }
  await recordAudit(tx, { storeId: store.id }, { what: 'order.amounts_changed', thing: order.id, before, after: said })
}

/** Numbers, as they are answered: "50" and "50.00" are no difference. */
const amountsNoted = ({ discountByHand, deliveryByHand, total }: Pick<OrderValues, 'discountByHand' | 'deliveryByHand' | 'total'>) => ({
  discountByHand: Number(discountByHand),
  deliveryByHand: deliveryByHand === null ? null : Number(deliveryByHand),
  total: Number(total),
})

const lineNoted = ({ productId, variantId, offerId, quantity, unitPrice }: LineRow) => ({
  productId,
  variantId,
  offerId,
  quantity,
  unitPrice: Number(unitPrice),
})
