import {
  type DeliveryType,
  type Fee,
  isRow,
  named,
  number,
  type Quote,
  type Rate,
  type Row,
  remembered,
  type ServiceFee,
  text,
} from 'serai/carrier'
import { type Account, call, unreadable } from './api.ts'
import { type Wilaya, wilayaOf, wilayasOf } from './geography.ts'
import { kilograms } from './shipment.ts'

interface CommunePrices {
  readonly name: string
  readonly home: number | null
  readonly pickup: number | null
  readonly economicHome: number | null
  readonly economicPickup: number | null
}
interface Tariff {
  readonly returnFee: number
  readonly codPercent: number
  readonly insurancePercent: number
  readonly perExtraKg: number
  readonly communes: readonly CommunePrices[]
}

const freeKg = 5
const kgPerCubicCm = 1 / 5000
const services = [
  { service: 'express', deliveryType: 'home', price: 'home' },
  { service: 'express', deliveryType: 'pickup', price: 'pickup' },
  { service: 'economic', deliveryType: 'home', price: 'economicHome' },
  { service: 'economic', deliveryType: 'pickup', price: 'economicPickup' },
] as const satisfies { service: string; deliveryType: DeliveryType; price: keyof CommunePrices }[]

/** Reads the tariff of one destination, one call each. Cached, so that a listing that hits the rate limit can resume. */
async function tariffTo(account: Account, to: Wilaya): Promise<Tariff> {
  const from = await wilayaOf(account, account.context.settings.fromStateCode)
  return remembered(account.context, `fees:${from.id}:${to.id}`, async () => {
    const answer = await call(account, 'GET', 'fees/', { from_wilaya_id: from.id, to_wilaya_id: to.id })
    return tariffIn(account, answer)
  })
}

function tariffIn(account: Account, answer: unknown): Tariff {
  // An envelope of lists is accepted too.
  const row = isRow(answer) && Array.isArray(answer.data) ? answer.data[0] : answer
  if (!isRow(row) || !isRow(row.per_commune)) throw unreadable(account, 'no fees')
  return {
    returnFee: number(row.retour_fee) ?? 0,
    codPercent: number(row.cod_percentage) ?? 0,
    insurancePercent: number(row.insurance_percentage) ?? 0,
    perExtraKg: number(row.oversize_fee) ?? 0,
    communes: Object.values(row.per_commune).filter(isRow).flatMap(pricesIn),
  }
}

function pricesIn(row: Row): CommunePrices[] {
  const name = text(row.commune_name)
  if (name === undefined) return []
  const [home, pickup] = [number(row.express_home) ?? null, number(row.express_desk) ?? null]
  return [
    {
      name,
      home,
      pickup,
      economicHome: number(row.economic_home) ?? null,
      economicPickup: number(row.economic_desk) ?? null,
    },
  ]
}

/** Lists delivery fees. */
export async function fees(account: Account, query: { stateCode?: string }): Promise<Fee[]> {
  const wilayas = query.stateCode === undefined ? await wilayasOf(account) : [await wilayaOf(account, query.stateCode)]
  const rows: Fee[] = []
  for (const wilaya of wilayas.filter(({ deliverable }) => deliverable)) {
    const { communes, returnFee } = await tariffTo(account, wilaya)
    const stateCode = String(wilaya.id).padStart(2, '0')
    for (const prices of communes) rows.push({ stateCode, cityName: prices.name, ...servicePrices(account, prices), returnFee })
  }
  return rows
}

const servicePrices = ({ context }: Account, { home, pickup, economicHome, economicPickup }: CommunePrices) =>
  context.settings.economic ? { home: economicHome ?? home, pickup: economicPickup ?? pickup } : { home, pickup }

/** Quotes a price. Without a city, quotes the most expensive commune of the wilaya. */
export async function rates(account: Account, quote: Quote): Promise<Rate[]> {
  const wilaya = await wilayaOf(account, quote.stateCode)
  const tariff = await tariffTo(account, wilaya)
  const communes = quote.cityName ? [named(tariff.communes, quote.cityName, `commune of ${wilaya.name}`)] : tariff.communes
  const billableKg = Math.max(kilograms(account, quote.weightKg ?? 0), volumetric(quote.dimensions))
  const surcharge = Math.max(0, billableKg - freeKg) * tariff.perExtraKg
  return services
    .filter(({ deliveryType }) => quote.deliveryType === undefined || quote.deliveryType === deliveryType)
    .flatMap(({ service, deliveryType, price }) => {
      const prices = communes.map((commune) => commune[price]).filter((found) => found !== null)
      if (prices.length === 0) return []
      return [
        {
          service,
          deliveryType,
          price: cents(Math.max(...prices) + surcharge),
          currency: 'DZD',
          billableKg: cents(billableKg),
        },
      ]
    })
}

function volumetric(dimensions: Quote['dimensions']): number {
  const { lengthCm = 0, widthCm = 0, heightCm = 0 } = dimensions ?? {}
  return lengthCm * widthCm * heightCm * kgPerCubicCm
}

const cents = (value: number) => Math.round(value * 100) / 100

/** Lists service fees within the sending wilaya; the carrier sets them per pair of wilayas. */
export async function serviceFees(account: Account): Promise<ServiceFee[]> {
  const tariff = await tariffTo(account, await wilayaOf(account, account.context.settings.fromStateCode))
  return [
    { service: 'cash on delivery', percent: tariff.codPercent, of: 'the higher of declaredValue and codAmount' },
    { service: 'insurance', percent: tariff.insurancePercent, of: 'declaredValue' },
    { service: 'weight over 5 kg', amount: tariff.perExtraKg, of: 'kg' },
    { service: 'return', amount: tariff.returnFee, of: 'parcel' },
  ]
}
