import type { CashBatchDetail, CashLine, DeliveryType, Rate } from '../contract.ts'

/** Builds a payout from its lines. It is paid out once every line is. */
export function payoutOf(id: string, lines: CashLine[]): CashBatchDetail {
  const isPaid = lines.every(({ status }) => status === 'paid_out')
  const total = totalOf(lines, ({ amount }) => amount)
  const net = totalOf(lines, (line) => line.net)
  const totals = { ...(total !== undefined && { amount: total }), ...(net !== undefined && { net }) }
  return { id, status: isPaid ? 'paid_out' : 'payout_ready', ...totals, parcels: lines.length, lines }
}

/** Sums in hundredths, so that floats do not drift. Undefined if any line lacks the value, since a partial sum would be wrong. */
function totalOf(lines: readonly CashLine[], read: (line: CashLine) => number | undefined): number | undefined {
  const values = lines.map(read).filter((value) => value !== undefined)
  return values.length < lines.length ? undefined : values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100
}

const types = ['home', 'pickup'] as const satisfies readonly DeliveryType[]

/** Builds the rates of a carrier with one service: a price in dinars for each delivery type, null if it is not offered. */
export const dinarRates = (prices: Readonly<Record<(typeof types)[number], number | null>>, wanted?: DeliveryType): Rate[] =>
  types.flatMap((deliveryType) => {
    const price = prices[deliveryType]
    const isAsked = wanted === undefined || wanted === deliveryType
    return isAsked && price !== null ? [{ service: 'standard', deliveryType, price, currency: 'DZD' }] : []
  })
