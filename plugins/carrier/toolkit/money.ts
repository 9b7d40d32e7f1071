import type { CashBatchDetail, CashLine, DeliveryType, Rate } from '../contract.ts'

/** A payout that is known by its lines alone. It is paid once each of them is. */
export function payoutOf(id: string, lines: CashLine[]): CashBatchDetail {
  const isPaid = lines.every(({ status }) => status === 'paid_out')
  const total = totalOf(lines, ({ amount }) => amount)
  const net = totalOf(lines, (line) => line.net)
  const told = { ...(total !== undefined && { amount: total }), ...(net !== undefined && { net }) }
  return { id, status: isPaid ? 'paid_out' : 'payout_ready', ...told, parcels: lines.length, lines }
}

/** In hundredths, so that no sum drifts. Undefined where any line does not tell it: half a sum would be a wrong one. */
function totalOf(lines: readonly CashLine[], tell: (line: CashLine) => number | undefined): number | undefined {
  const told = lines.map(tell).filter((value) => value !== undefined)
  return told.length < lines.length ? undefined : told.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100
}

const types = ['home', 'pickup'] as const satisfies readonly DeliveryType[]

/** Rates of a carrier with one service: a price in dinars for each way of delivery, null where it does not go. */
export const dinarRates = (prices: Readonly<Record<(typeof types)[number], number | null>>, wanted?: DeliveryType): Rate[] =>
  types.flatMap((deliveryType) => {
    const price = prices[deliveryType]
    const isAsked = wanted === undefined || wanted === deliveryType
    return isAsked && price !== null ? [{ service: 'standard', deliveryType, price, currency: 'DZD' }] : []
  })
