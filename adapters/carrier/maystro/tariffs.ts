import { type DeliveryType, type Fee, number, type Quote, type Rate, remembered, unreadable, where } from 'serai/carrier'
import { get, LABEL, rowOf } from './api.ts'
import type { Context } from './fields.ts'
import { communeOf, communesOf, type Place, wilayaOf, wilayasOf } from './geography.ts'
import { typeNumber } from './shipment.ts'
import { codeNamed } from './wilayas.ts'

const types = ['home', 'pickup'] as const satisfies readonly DeliveryType[]

/** Reads one price; null when the carrier has no tariff. */
async function priceTo(context: Context, commune: Place, deliveryType: DeliveryType): Promise<number | null> {
  const query = { commune: commune.id, express: context.settings.express, delivery_type: typeNumber(context, deliveryType) }
  const answer = await get(context, 'stores/delivery_price/', query).catch(where('not_found', () => undefined))
  if (answer === undefined) return null
  const price = number(rowOf(answer, 'no price').delivery_price)
  if (price === undefined) throw unreadable(LABEL, 'no price')
  return price
}

/**
 * Reads the prices to a wilaya. One commune is enough, since prices are per wilaya. Cached, so that a listing that hits the rate limit can
 * resume.
 */
const pricesTo = (context: Context, wilaya: Place) =>
  remembered(context, `prices:${wilaya.id}:${context.settings.express}:${context.settings.deliveryTypeNumbers}`, async () => {
    const [commune] = await communesOf(context, wilaya.id)
    if (!commune) return { home: null, pickup: null }
    return { home: await priceTo(context, commune, 'home'), pickup: await priceTo(context, commune, 'pickup') }
  })

/** Lists delivery fees. */
export async function fees(context: Context, { stateCode }: { stateCode?: string }): Promise<Fee[]> {
  const wilayas = stateCode === undefined ? await wilayasOf(context) : [await wilayaOf(context, stateCode)]
  const found: Fee[] = []
  for (const wilaya of wilayas) {
    const code = stateCode ?? codeNamed(wilaya.name)
    if (code !== undefined) found.push({ stateCode: code, ...(await pricesTo(context, wilaya)) })
  }
  return found
}

/** Quotes a price. Surcharges for weight and size are not published. */
export async function rates(context: Context, quote: Quote): Promise<Rate[]> {
  const wilaya = await wilayaOf(context, quote.stateCode)
  const commune = quote.cityName ? await communeOf(context, wilaya, quote.cityName) : undefined
  const wanted = types.filter((type) => quote.deliveryType === undefined || quote.deliveryType === type)
  const found: Rate[] = []
  for (const deliveryType of wanted) {
    const price = commune ? await priceTo(context, commune, deliveryType) : (await pricesTo(context, wilaya))[deliveryType]
    if (price !== null) found.push({ service: context.settings.express ? 'express' : 'standard', deliveryType, price, currency: 'DZD' })
  }
  return found
}
