import { CarrierError, type DeliveryType, type Fee, type Quote, type Rate, type ServiceFee } from 'serai/carrier'
import type { Sandbox } from './fields.ts'
import { type Wilaya, wilayaOf, wilayas } from './places.ts'

// Invented prices in dinars, by zone.
const local = { home: 300, pickup: 200 }
const byZone = {
  1: { home: 400, pickup: 250 },
  2: { home: 600, pickup: 400 },
  3: { home: 800, pickup: 450 },
  4: { home: 1000, pickup: 600 },
  5: { home: 1400, pickup: 900 },
} as const
const returnFee = 200
const freeKg = 5
const perExtraKg = 50
const kgPerCubicCm = 1 / 5000

const pricesFor = (context: Sandbox, { code, zone }: Wilaya) => (code === context.settings.fromStateCode ? local : byZone[zone])

export function deliveryFee(context: Sandbox, wilaya: Wilaya, deliveryType: DeliveryType, billableKg: number): number {
  const base = deliveryType === 'pickup' ? pricesFor(context, wilaya).pickup : pricesFor(context, wilaya).home
  return base + Math.max(0, Math.ceil(billableKg) - freeKg) * perExtraKg
}

export function billable(weightKg: number, dimensions?: Quote['dimensions']): number {
  const { lengthCm = 0, widthCm = 0, heightCm = 0 } = dimensions ?? {}
  return Math.max(weightKg, Math.round(lengthCm * widthCm * heightCm * kgPerCubicCm * 100) / 100)
}

/** Lists delivery fees. */
export const fees = (context: Sandbox, query: { stateCode?: string }): Fee[] =>
  wilayas
    .filter(({ code }) => query.stateCode === undefined || code === query.stateCode.padStart(2, '0'))
    .map((wilaya) => ({ stateCode: wilaya.code, ...pricesFor(context, wilaya), returnFee }))

export function rates(context: Sandbox, quote: Quote): Rate[] {
  const wilaya = wilayaOf(quote.stateCode)
  if (!wilaya) throw new CarrierError('refused', `There is no state ${quote.stateCode}. Use a code from 01 to 58.`)
  const billableKg = billable(quote.weightKg ?? 1, quote.dimensions)
  const asked = quote.deliveryType ? [quote.deliveryType] : (['home', 'pickup'] as const)
  return asked
    .filter((deliveryType) => deliveryType !== 'return_point')
    .map((deliveryType) => ({
      service: 'standard',
      deliveryType,
      price: deliveryFee(context, wilaya, deliveryType, billableKg),
      currency: 'DZD',
      billableKg,
    }))
}

/** Lists fees other than delivery. */
export const serviceFees = (): ServiceFee[] => [
  { service: 'cash on delivery', percent: 1, of: 'codAmount' },
  { service: 'insurance', percent: 1.5, of: 'declaredValue' },
  { service: 'weight over 5 kg', amount: perExtraKg, of: 'kg' },
]
