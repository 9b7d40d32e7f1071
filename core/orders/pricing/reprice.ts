import { storeIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { stripTypedCode } from '../../lib/clean-code.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Offer } from '../../shop/catalog/promos/promos.ts'
import { redeemPromo, releaseRedemptions } from '../../shop/catalog/promos/redeem-promo.ts'
import { releaseReservation } from '../../shop/inventory/reservations/release-reservation.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { amountColumnsOf } from '../create/create.ts'
import { orderErrors } from '../orders.errors.ts'
import type { OrderChange } from '../orders.model.ts'
import { deleteOrderLines, insertOrderLines, type LineRow, listOrderLines, type OrderRow, type OrderValues } from '../orders.queries.ts'
import { reserveLines } from '../stock/stock.ts'
import { applyExternalPricing, type ExternalPricing } from './external-pricing.ts'
import {
  type GoodsPricingRequest,
  type ManualAdjustments,
  type PricedAmounts,
  type PricedOrder,
  priceOrder,
  priceUnchangedGoods,
} from './price.ts'
import { assertFirstOrder } from './promotion-uses.ts'

type AmountChange = Pick<OrderChange, 'items' | 'promoCode' | 'discount' | 'deliveryPrice'> & Pick<OrderRow, 'destination'>

/** Returns true when the request changes the promotion, the manual discount or the delivery price. */
export const hasAmountChange = ({
  promoCode,
  discount,
  deliveryPrice,
}: Pick<OrderChange, 'promoCode' | 'discount' | 'deliveryPrice'>): boolean =>
  promoCode !== undefined || discount !== undefined || deliveryPrice !== undefined

/** Throws `invalid_transition` when the amounts of the order can no longer change. */
export function assertAmountsCanChange(order: OrderRow, change: OrderChange): void {
  if (order.isDivided && (change.items || hasAmountChange(change))) throw orderErrors.parcelsDivided()
  if (order.exchangeOf !== null && change.promoCode !== undefined) throw orderErrors.promotionOnExchange()
}

/**
 * Recalculates the amounts of an order after a change. New lines are priced from the catalogue, and reserved instead of the old ones.
 * `isDeliveryRepriced` prices delivery again; `phone` is the customer's number after the change. Throws `product_unavailable`,
 * `invalid_promo`, `reserved_stock_conflict`, `invalid_request`.
 */
export async function repriceOrder(
  tx: Tx,
  store: Store,
  order: OrderRow,
  change: AmountChange & { readonly isDeliveryRepriced: boolean; readonly phone: string },
  externalPricing: ExternalPricing | undefined,
): Promise<OrderValues> {
  if (!change.items && externalPricing) return {}
  const byHand = manualAdjustmentsOf(order, change, store.currencyCode)
  const isSame = change.promoCode && stripTypedCode(change.promoCode).toLowerCase() === order.promoCode?.toLowerCase()
  const code = isSame || change.promoCode === order.promoCode ? undefined : change.promoCode
  const { items, destination } = change
  const asked = { destination, byHand, promo: code === undefined ? promisedOffer(order) : code }
  const priced: PricedOrder | PricedAmounts = items
    ? await priceGoods(tx, store, { ...asked, items, lines: await listOrderLines(tx, store.id, order.id) }, externalPricing)
    : await priceUnchangedGoods(tx, store, order, {
        ...asked,
        isSamePromo: code === undefined,
        isDeliveryRepriced: change.isDeliveryRepriced,
      })
  if (change.discount && decimal(change.discount.amount) > priced.subtotal)
    throw orderErrors.discountTooHigh({ field: ['discount', 'amount'] })
  if (code !== undefined)
    await replacePromotionUse(tx, { projectId: store.projectId, orderId: order.id, phone: change.phone }, priced.offer)
  const values = {
    ...amountColumnsOf(priced),
    discountByHand: decimalText(priced.discountByHand),
    deliveryByHand: byHand.delivery === null ? null : decimalText(byHand.delivery),
    ...(code !== undefined && { promoCode: priced.offer?.code ?? code, offer: priced.offer }),
  }
  await auditAmounts(tx, store, order, change, values)
  if (!priced.lines) return values
  await auditLines(tx, store, order, priced.lines, values)
  return { ...values, reservationId: await replaceLines(tx, store, order, priced.lines) }
}

async function priceGoods(
  tx: Tx,
  store: Store,
  asked: GoodsPricingRequest,
  externalPricing: ExternalPricing | undefined,
): Promise<PricedOrder> {
  return externalPricing
    ? applyExternalPricing(await priceOrder(tx, store, { ...asked, promo: null }), externalPricing)
    : priceOrder(tx, store, asked)
}

async function replaceLines(tx: Tx, store: Store, order: OrderRow, lines: PricedOrder['lines']): Promise<string | null> {
  if (order.reservationId) await releaseReservation(tx, store.projectId, order.reservationId)
  const reservationId = await reserveLines(tx, store, order.reference, lines, { at: ['items'] })
  await deleteOrderLines(tx, store.id, order.id)
  await insertOrderLines(tx, order, lines)
  return reservationId
}

const manualAdjustmentsOf = (order: OrderRow, { discount, deliveryPrice }: AmountChange, currency: string): ManualAdjustments => ({
  discount: discount === undefined ? decimal(order.discountByHand) : parseMoney(discount?.amount ?? 0, ['discount', 'amount'], currency),
  delivery:
    deliveryPrice === undefined
      ? storedDelivery(order)
      : deliveryPrice === null
        ? null
        : parseMoney(deliveryPrice, ['deliveryPrice'], currency),
})

const storedDelivery = ({ deliveryByHand }: OrderRow): Decimal | null => (deliveryByHand === null ? null : decimal(deliveryByHand))

/**
 * Terms of the order's promotion, which hold whatever became of it. Terms that were not stored become a fixed discount of the same amount.
 */
export const promisedOffer = ({
  promoCode,
  offer,
  discount,
  discountByHand,
}: Pick<OrderRow, 'promoCode' | 'offer' | 'discount' | 'discountByHand'>): Offer | null =>
  offer ?? (promoCode === null ? null : { kind: 'fixed', value: promotionDiscount(discount, discountByHand), minimumSubtotal: 0 })

const promotionDiscount = (discount: string, byHand: string) => decimalNumber(decimal(discount) - decimal(byHand))

/** Frees the use of the old promotion, and redeems the new one. */
async function replacePromotionUse(tx: Tx, use: Parameters<typeof redeemPromo>[2], offer: Offer | null) {
  const { projectId, orderId, phone } = use
  await releaseRedemptions(tx, projectId, [orderId])
  if (offer?.firstOrderOnly) await assertFirstOrder(tx, storeIdOf(projectId), phone, orderId)
  await redeemPromo(tx, offer, use)
}

async function auditLines(tx: Tx, store: Store, order: OrderRow, lines: readonly LineRow[], after: OrderValues) {
  const was = (await listOrderLines(tx, store.id, order.id)).map(auditedLine)
  const [before, is] = [
    { lines: was, ...auditedAmounts(order) },
    { lines: lines.map(auditedLine), ...auditedAmounts(after) },
  ]
  await recordAudit(tx, { storeId: store.id }, { what: 'order.lines_changed', thing: order.id, before, after: is })
}

async function auditAmounts(tx: Tx, store: Store, order: OrderRow, change: AmountChange, after: OrderValues) {
  if (!hasAmountChange(change)) return
  const { promoCode } = order
  const afterChange = { promoCode, ...after, ...auditedAmounts(after), ...(change.discount && { reason: change.discount.reason }) }
  const before = { promoCode, ...auditedAmounts(order) }
  await recordAudit(tx, { storeId: store.id }, { what: 'order.amounts_changed', thing: order.id, before, after: afterChange })
}

/** Amounts as numbers, so that the audit log shows no difference between "50" and "50.00". */
const auditedAmounts = ({ discountByHand, deliveryByHand, total }: Pick<OrderValues, 'discountByHand' | 'deliveryByHand' | 'total'>) => ({
  discountByHand: Number(discountByHand),
  deliveryByHand: deliveryByHand === null ? null : Number(deliveryByHand),
  total: Number(total),
})

const auditedLine = ({ productId, variantId, offerId, quantity, unitPrice }: LineRow) => ({
  productId,
  variantId,
  offerId,
  quantity,
  unitPrice: Number(unitPrice),
})
