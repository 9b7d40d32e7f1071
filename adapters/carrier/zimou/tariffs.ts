import { type DeliveryType, type Fee, foldName, number, type Quote, type Rate, remembered, text, wilayaCode } from 'serai/carrier'
import { list } from './api.ts'
import type { Context } from './fields.ts'
import { wilayaOf } from './geography.ts'
import { officeService } from './shipment.ts'

/** Price of one service to one wilaya, in dinars. */
interface Offer {
  readonly wilayaId: number
  readonly service: string
  readonly price: number
}

const services: readonly { service: string; deliveryType: DeliveryType }[] = [
  { service: 'Express', deliveryType: 'home' },
  { service: 'Flexible', deliveryType: 'home' },
  { service: officeService, deliveryType: 'pickup' },
]

/** Keeps the most expensive offer per service and wilaya, since the partner is not known in advance. */
const offersOf = (context: Context) => {
  const { priceColumn } = context.settings
  return remembered(context, `prices:${priceColumn}`, () => fetchOffers(context))
}

async function fetchOffers(context: Context): Promise<Offer[]> {
  const dearest = new Map<string, Offer>()
  for (const row of await list(context, 'v3/my/prices')) {
    const [wilayaId, name] = [number(row.wilaya_id), foldName(text(row.delivery_type_name) ?? '')]
    const service = services.find((one) => foldName(one.service) === name)?.service
    const price = number(row[context.settings.priceColumn]) ?? 0
    // A partner without a price does not serve the wilaya.
    if (wilayaId === undefined || service === undefined || price <= 0) continue
    const key = `${wilayaId} ${service}`
    if (price > (dearest.get(key)?.price ?? 0)) dearest.set(key, { wilayaId, service, price })
  }
  return [...dearest.values()]
}

/** Lists delivery fees. */
export async function fees(context: Context, { stateCode }: { stateCode?: string }): Promise<Fee[]> {
  const wilaya = stateCode === undefined ? undefined : await wilayaOf(context, stateCode)
  const offers = (await offersOf(context)).filter(({ wilayaId }) => wilaya === undefined || wilayaId === wilaya.id)
  return [...Map.groupBy(offers, ({ wilayaId }) => wilayaId)].map(([wilayaId, own]) => {
    const priceOf = (service: string) => own.find((offer) => offer.service === service)?.price ?? null
    return { stateCode: wilayaCode(wilayaId), home: priceOf(context.settings.homeService), pickup: priceOf(officeService) }
  })
}

/** Quotes a price per wilaya and service, whatever the commune and the weight. */
export async function rates(context: Context, { stateCode, deliveryType }: Quote): Promise<Rate[]> {
  const wilaya = await wilayaOf(context, stateCode)
  const offers = (await offersOf(context)).filter(({ wilayaId }) => wilayaId === wilaya.id)
  return services
    .filter((one) => deliveryType === undefined || deliveryType === one.deliveryType)
    .flatMap(({ service, deliveryType }) => {
      const offer = offers.find((one) => one.service === service)
      return offer ? [{ service, deliveryType, price: offer.price, currency: 'DZD' }] : []
    })
}
