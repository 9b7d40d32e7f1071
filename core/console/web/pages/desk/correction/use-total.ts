import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useDebounced } from '../../../ui/debounced.ts'
import { deskKey } from '../desk-key.ts'
import { canCorrectQuantities, type Draft, draftOf, itemsOf, readAmount } from './draft.ts'

type Order = Schemas['Order']
type Totals = Order['totals']

/** Total of an order as its draft would make it. */
export interface DraftTotal {
  readonly totals: Totals
  /** True while the shown total is of an earlier draft. */
  readonly isWaiting: boolean
  readonly error: unknown
}

/** Calculates the total of a draft as its fields change. The prices come from the server; manual amounts are applied to them here. */
export function useDraftTotal(order: Order, draft: Draft): DraftTotal {
  const { storeId, totals, byHand } = order
  const asked = priceRequest(order, draft)
  const request = asked === null ? '' : JSON.stringify(asked)
  const settled = useDebounced(request)
  const text = request === '' ? '' : settled
  const { data, isFetching, error } = useQuery({
    queryKey: deskKey(storeId, 'total', text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async () =>
      (await unwrap(api.POST('/v1/orders/calculate', { body: JSON.parse(text) as Schemas['OrderCalculation'] }))).data.totals,
  })
  const promotion = totals.discount - byHand.discount
  const stored = { ...totals, discount: promotion }
  const areGoodsKept = String(draft.quantities) === String(draftOf(order).quantities)
  // Lines that stay keep their prices; only the delivery is priced again, with a promotion that may be on it.
  const kept = data && { ...stored, delivery: data.delivery, discount: order.promoCode === null ? promotion : data.discount }
  const priced = asked === null ? stored : ((areGoodsKept ? kept : data) ?? stored)
  return {
    totals: withManualAmounts(priced, draft),
    isWaiting: asked !== null && (isFetching || text !== request),
    error: asked === null ? null : error,
  }
}

/** Request for the prices of a draft; null when the prices of the order stay. */
function priceRequest(order: Order, draft: Draft): Schemas['OrderCalculation'] | null {
  const before = draftOf(order)
  const isRepriced =
    draft.stateCode !== before.stateCode ||
    draft.cityName !== before.cityName ||
    draft.deliveryType !== before.deliveryType ||
    (draft.deliveryPrice === '' && before.deliveryPrice !== '') ||
    String(draft.quantities) !== String(before.quantities)
  const items = itemsOf(order, draft.quantities)
  if (!isRepriced || items.length === 0 || !canCorrectQuantities(order) || draft.cityName === '') return null
  const { stateCode, cityName, deliveryType } = draft
  const { id, storeId, promoCode, destination } = order
  return { storeId, orderId: id, items, promoCode, destination: { country: destination.country, stateCode, cityName, deliveryType } }
}

/** Applies the manual delivery price and discount, as the server does when it saves them. */
function withManualAmounts({ subtotal, delivery: priced, discount: promotion }: Omit<Totals, 'total'>, draft: Draft): Totals {
  const delivery = readAmount(draft.deliveryPrice) ?? priced
  const most = Math.max(0, Math.min(subtotal, subtotal + delivery - promotion))
  const discount = promotion + Math.min(readAmount(draft.discount) ?? 0, most)
  return { subtotal, delivery, discount, total: subtotal + delivery - discount }
}
