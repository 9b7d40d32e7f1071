import { dinarRates, type Fee, isRow, number, type Quote, type Rate, rows, unreadable, wilayaCode } from 'serai/carrier'
import { get, LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { wilayaOf } from './geography.ts'

/** Reads the whole price grid in one call. */
async function grid(context: Context): Promise<Fee[]> {
  const answer = await get(context, 'fees')
  const tariffs = isRow(answer) ? answer.tarifs : undefined
  if (!isRow(tariffs) || (!isRow(tariffs.delivery) && !Array.isArray(tariffs.delivery))) throw unreadable(LABEL, 'no fees')
  const returns = pricesBy(tariffs.return)
  return [...pricesBy(tariffs.delivery)].map(([wilayaId, { home, pickup }]) => {
    const returnFee = returns.get(wilayaId)?.home
    return { stateCode: wilayaCode(wilayaId), home, pickup, ...(returnFee != null && { returnFee }) }
  })
}

const price = (value: unknown) => number(value) ?? null

/** Indexes prices by wilaya; each row names its own. Amounts may be text. */
const pricesBy = (tariffs: unknown) =>
  new Map(
    rows(tariffs).flatMap((row) => {
      const wilayaId = number(row.wilaya_id)
      return wilayaId === undefined ? [] : [[wilayaId, { home: price(row.tarif), pickup: price(row.tarif_stopdesk) }] as const]
    }),
  )

/** Lists delivery fees. */
export async function fees(context: Context, { stateCode }: { stateCode?: string }): Promise<Fee[]> {
  const all = await grid(context)
  if (stateCode === undefined) return all
  const { id } = await wilayaOf(context, stateCode)
  return all.filter((fee) => fee.stateCode === wilayaCode(id))
}

/** Quotes the price of a wilaya; surcharges for weight are not published. */
export async function rates(context: Context, quote: Quote): Promise<Rate[]> {
  const [fee] = await fees(context, { stateCode: quote.stateCode })
  return fee ? dinarRates(fee, quote.deliveryType) : []
}
