import {
  amount,
  type DeliveryType,
  type Fee,
  isRow,
  named,
  number,
  present,
  type Quote,
  type Rate,
  type Row,
  refuse,
  rememberedGroup,
  rows,
  type ServiceFee,
  text,
  unreadable,
} from 'serai/carrier'
import { call, label } from './api.ts'
import type { Context } from './fields.ts'
import { codeOf, communesOf, type Territory, wilayaOf, wilayasOf } from './territories.ts'

/** Prices to one territory: a commune or a whole wilaya. */
interface Prices {
  readonly to: string
  readonly wilayaId: string
  readonly home?: number
  readonly pickup?: number
  readonly back?: number
}

/** Reads the prices to a wilaya and its communes, all in one call. */
async function pricesTo(context: Context, wilaya: Territory): Promise<Prices[]> {
  const { fromStateCode } = context.settings
  if (!fromStateCode) return refuse('no_origin', 'Set fromStateCode, the wilaya you send from, to see prices.')
  const from = await wilayaOf(context, fromStateCode)
  return rememberedGroup(
    context,
    `rates:${from.id}`,
    wilaya.id,
    ({ wilayaId }: Prices) => wilayaId,
    () => fetchPrices(context, from.id),
  )
}

async function fetchPrices(context: Context, fromTerritoryId: string): Promise<Prices[]> {
  const answer = await call(context, 'GET', 'delivery-pricing/rates', { query: { fromTerritoryId } })
  if (!isRow(answer) || !Array.isArray(answer.rates)) throw unreadable(label, 'no rates')
  const wilayas = await wilayasOf(context)
  const groups = await Promise.all(wilayas.map(async ({ id }) => [id, ...(await communesOf(context, id)).map((commune) => commune.id)]))
  const wilayaIds = new Map(groups.flatMap(([wilayaId, ...ids]) => [wilayaId!, ...ids].map((id) => [id, wilayaId!] as const)))
  return rows(answer.rates).flatMap((row) => pricesIn(row, wilayaIds))
}

function pricesIn(row: Row, wilayaIds: ReadonlyMap<string, string>): Prices[] {
  const to = text(row.toTerritoryId)
  const wilayaId = to && wilayaIds.get(to)
  if (!to || !wilayaId) return []
  const byType = new Map(rows(row.deliveryPrices).map((price) => [text(price.deliveryType), priceIn(price)]))
  const prices = { home: byType.get('home'), pickup: byType.get('pickup-point'), back: byType.get('return') }
  return [{ to, wilayaId, ...present(prices) }]
}

/** Returns the final price, after discount and with VAT where given. A discounted price of zero is ignored. */
function priceIn({ discountedPriceTtc, priceTtc, discountedPrice, price }: Row): number | undefined {
  return [discountedPriceTtc, priceTtc, discountedPrice].map(number).find((found) => found !== undefined && found > 0) ?? amount(price)
}

/** Lists fees: a row for the wilaya, if it has a price, and one for each priced commune. */
export async function fees(context: Context, query: { stateCode?: string }): Promise<Fee[]> {
  const wilayas = query.stateCode === undefined ? await wilayasOf(context) : [await wilayaOf(context, query.stateCode)]
  const found: Fee[] = []
  for (const wilaya of wilayas) {
    const stateCode = codeOf(wilaya)
    if (stateCode === undefined) continue
    const names = new Map((await communesOf(context, wilaya.id)).map(({ id, name }) => [id, name]))
    for (const { to, home = null, pickup = null, back } of await pricesTo(context, wilaya)) {
      const cityName = names.get(to)
      found.push({ stateCode, ...(cityName !== undefined && { cityName }), home, pickup, ...(back !== undefined && { returnFee: back }) })
    }
  }
  return found
}

/** Quotes a price. The API gives no surcharges for weight and size. Without a city, quotes the most expensive commune. */
export async function rates(context: Context, quote: Quote): Promise<Rate[]> {
  const wilaya = await wilayaOf(context, quote.stateCode)
  const all = await pricesTo(context, wilaya)
  const commune = quote.cityName ? named(await communesOf(context, wilaya.id), quote.cityName, `commune of ${wilaya.name}`) : undefined
  const own = commune && all.filter(({ to }) => to === commune.id)
  const fitting = !commune ? all : own && own.length > 0 ? own : all.filter(({ to }) => to === wilaya.id)
  const types = [
    ['home', 'home'],
    ['pickup', 'pickup'],
  ] as const satisfies [DeliveryType, keyof Prices][]
  return types.flatMap(([deliveryType, member]) => {
    const prices = fitting.map((row) => row[member]).filter((price) => price !== undefined)
    if (prices.length === 0 || (quote.deliveryType !== undefined && quote.deliveryType !== deliveryType)) return []
    return [{ service: 'standard', deliveryType, price: Math.max(...prices), currency: 'DZD' }]
  })
}

const services = {
  labelingPrice: 'labelling',
  weightingPrice: 'weighing',
  swapSameCityPrice: 'exchange within a wilaya',
  swapDifferentCityPrice: 'exchange between wilayas',
  phoneChangePrice: 'change of telephone number',
} as const

/** Lists fees other than delivery. */
export async function serviceFees(context: Context): Promise<ServiceFee[]> {
  const answer = await call(context, 'GET', 'service-pricing')
  if (!isRow(answer)) throw unreadable(label, 'no service prices')
  return Object.entries(services).flatMap(([field, service]) => {
    const price = amount(answer[field])
    return price === undefined ? [] : [{ service, amount: price }]
  })
}
