import type { CashBatchDetail, CashLine, DeliveryType, Rate } from '../contract.ts'

/** A payout that is known by its lines alone. It is paid once each of them is. */
export function payoutOf(id: string, lines: CashLine[]): CashBatchDetail {
  const isPaid = lines.every(({ status }) => status === 'paid_out')
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  return { id, status: isPaid ? 'paid_out' : 'payout_ready', amount, parcels: lines.length, lines }
}

const types = ['home', 'pickup'] as const satisfies readonly DeliveryType[]

/** Rates of a carrier with one service: a price in dinars for each way of delivery, null where it does not go. */
export const dinarRates = (prices: Readonly<Record<(typeof types)[number], number | null>>, wanted?: DeliveryType): Rate[] =>
  types.flatMap((deliveryType) => {
    const price = prices[deliveryType]
    const isAsked = wanted === undefined || wanted === deliveryType
    return isAsked && price !== null ? [{ service: 'standard', deliveryType, price, currency: 'DZD' }] : []
  })
