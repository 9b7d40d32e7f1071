import { type Totals, totalsOf, useCalculation } from './calculation.ts'
import { type EditedOrder, hasOtherLines } from './order-change.ts'
import type { OrderValues } from './order-values.ts'

/**
 * Calculates what an order costs after a change. Goods that stay keep their price; the server prices other goods and another place. Where
 * it cannot, as when goods are short, the amounts are estimated.
 */
export function useEditTotals(order: EditedOrder, before: OrderValues, after: OrderValues) {
  const isSameGoods = !hasOtherLines(before, after)
  const isSamePlace =
    before.stateCode === after.stateCode && before.cityName === after.cityName && before.deliveryType === after.deliveryType
  const isSamePromo = before.promoCode === after.promoCode.trim()
  const isDeliveryFreed = before.deliveryPrice !== '' && after.deliveryPrice === ''
  const isSame = isSameGoods && isSamePlace && isSamePromo && !isDeliveryFreed
  const calculation = useCalculation(after, { isActive: !isSame, orderId: order.id })
  const old = { ...order.totals, discount: order.totals.discount - order.byHand.discount }
  const fresh = isSame ? old : calculation.data?.totals
  const base = {
    subtotal: isSameGoods ? old.subtotal : fresh?.subtotal,
    delivery: isSamePlace && isSameGoods && !isDeliveryFreed ? old.delivery : (fresh?.delivery ?? old.delivery),
    discount: fresh?.discount ?? old.discount,
  }
  const sum = after.lines.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0)
  const totals: Totals = totalsOf(after, { ...base, subtotal: base.subtotal ?? sum })
  return {
    totals,
    usualDelivery: calculation.data?.totals.delivery ?? (before.deliveryPrice === '' ? old.delivery : undefined),
    warnings: isSame ? [] : (calculation.data?.warnings ?? []),
    isWaiting: !isSame && calculation.isFetching,
  }
}
