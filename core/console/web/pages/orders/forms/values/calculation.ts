import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api } from '../../../../api/client.ts'
import { unwrap } from '../../../../api/errors.ts'
import { useStore } from '../../../../session/store.tsx'
import { useDebounced } from '../../../../ui/debounced.ts'
import { readAmount } from '../../../../words/numbers.ts'
import { itemsOf, type OrderValues } from './order-values.ts'

/** Amounts of an order as its form shows them. */
export interface Totals {
  readonly subtotal: number
  /** Undefined until the address is known. */
  readonly delivery: number | undefined
  readonly discount: number
  readonly total: number
}

interface CalculationOptions {
  readonly isActive?: boolean
  /** Order that is edited: its own goods count as available. */
  readonly orderId?: string
}

/** Asks the server for the price of an order while it is being typed. The last answer stays until the next one comes. */
export function useCalculation(values: OrderValues, { isActive = true, orderId }: CalculationOptions = {}) {
  const { storeId, countryCode: country } = useStore()
  const { lines, stateCode, cityName, deliveryType, promoCode } = values
  const isComplete = lines.length > 0 && stateCode.trim() !== ''
  const destination = { country, stateCode: stateCode.trim(), cityName: cityName.trim(), deliveryType }
  const body = JSON.stringify({ storeId, items: itemsOf(lines), destination, promoCode: promoCode.trim() || null, orderId })
  const settled = useDebounced(isComplete ? body : '')
  return useQuery({
    queryKey: ['calculation', settled],
    enabled: isActive && settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
    queryFn: async () => (await unwrap(api.POST('/v1/orders/calculate', { body: JSON.parse(settled) as never }))).data,
  })
}

/** Adds what the user set by hand to calculated amounts. */
export function totalsOf(values: OrderValues, calculated: Pick<Totals, 'subtotal' | 'delivery' | 'discount'> | undefined): Totals {
  const sum = values.lines.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0)
  const subtotal = calculated?.subtotal ?? sum
  const typed = readAmount(values.deliveryPrice)
  const delivery = typed === undefined || Number.isNaN(typed) ? calculated?.delivery : typed
  const byHand = Math.min(readAmount(values.discount) || 0, subtotal)
  const discount = Math.min((calculated?.discount ?? 0) + byHand, subtotal + (delivery ?? 0))
  return { subtotal, delivery, discount, total: subtotal + (delivery ?? 0) - discount }
}
