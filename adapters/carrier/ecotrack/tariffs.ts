import {
  dinarRates,
  type Fee,
  foldName,
  isRow,
  number,
  type Quote,
  type Rate,
  rows,
  type ServiceFee,
  unreadable,
  wilayaCode,
} from 'serai/carrier'
import { cachedForHost, call } from './api.ts'
import type { Account } from './fields.ts'
import { communeOf, wilayaOf } from './geography.ts'

interface Price {
  /** Undefined when one price applies everywhere. */
  readonly wilayaId?: number
  readonly home: number | null
  readonly pickup: number | null
}

type Service = 'delivery' | 'pickup' | 'exchange' | 'collection' | 'return'
type Tariff = Readonly<Record<Service, readonly Price[]>>

/** The platform's names of the services, without accents. */
const named: Readonly<Record<Service, string>> = {
  delivery: 'livraison',
  pickup: 'pickup',
  exchange: 'echange',
  collection: 'recouvrement',
  return: 'retour',
}

/** Reads all prices in one call. */
const tariffOf = (account: Account) =>
  cachedForHost(account, `fees:${account.context.settings.feeUnit}`, async () => {
    const answer = await call(account, 'get/fees')
    if (!isRow(answer)) throw unreadable(account.company.label, 'no fees')
    const tables = new Map(Object.entries(answer).map(([name, table]) => [foldName(name), table]))
    const read = (service: Service) => pricesIn(account, tables.get(named[service]))
    const tariff: Tariff = {
      delivery: read('delivery'),
      pickup: read('pickup'),
      exchange: read('exchange'),
      collection: read('collection'),
      return: read('return'),
    }
    if (tariff.delivery.length === 0) throw unreadable(account.company.label, 'no delivery fees')
    return tariff
  })

/** Prices of a table: a row per wilaya, or one amount for all. Amounts are texts. */
function pricesIn({ context }: Account, table: unknown): Price[] {
  const unit = context.settings.feeUnit === 'centimes' ? 100 : 1
  const amount = (value: unknown) => {
    const found = number(value)
    return found !== undefined && found >= 0 ? found / unit : null
  }
  const everywhere = amount(table)
  if (everywhere !== null) return [{ home: everywhere, pickup: null }]
  return rows(table).flatMap((row) => {
    const wilayaId = number(row.wilaya_id)
    return wilayaId === undefined ? [] : [{ wilayaId, home: amount(row.tarif), pickup: amount(row.tarif_stopdesk) }]
  })
}

const priceTo = (prices: readonly Price[], id: number) => prices.find(({ wilayaId }) => wilayaId === undefined || wilayaId === id)

/** Lists delivery fees. */
export async function fees(account: Account, { stateCode }: { stateCode?: string }): Promise<Fee[]> {
  const tariff = await tariffOf(account)
  const wanted = stateCode === undefined ? undefined : (await wilayaOf(account, stateCode)).id
  return tariff.delivery.flatMap(({ wilayaId, home, pickup }) => {
    if (wilayaId === undefined || (wanted !== undefined && wanted !== wilayaId)) return []
    const returnFee = priceTo(tariff.return, wilayaId)?.home
    return [{ stateCode: wilayaCode(wilayaId), home, pickup, ...(returnFee != null && { returnFee }) }]
  })
}

/** Quotes the fee of the wilaya; stop desk only if the commune has one. Surcharges for weight and size are not published. */
export async function rates(account: Account, quote: Quote): Promise<Rate[]> {
  const { delivery } = await tariffOf(account)
  const wilaya = await wilayaOf(account, quote.stateCode)
  const hasDesk = quote.cityName ? (await communeOf(account, wilaya, quote.cityName)).desk : true
  const price = priceTo(delivery, wilaya.id)
  return price ? dinarRates({ home: price.home, pickup: hasDesk ? price.pickup : null }, quote.deliveryType) : []
}

/** Lists fees other than delivery: each amount once, with its wilayas. */
export async function serviceFees(account: Account): Promise<ServiceFee[]> {
  const { delivery: _, ...others } = await tariffOf(account)
  return Object.entries(others).flatMap(([service, prices]) => [
    ...feesByAmount(service, prices, 'home'),
    ...feesByAmount(`${service} at a stop desk`, prices, 'pickup'),
  ])
}

function feesByAmount(service: string, prices: readonly Price[], way: 'home' | 'pickup'): ServiceFee[] {
  const groups = Map.groupBy(
    prices.filter((price) => price[way] !== null),
    (price) => price[way]!,
  )
  return [...groups].map(([amount, members]) => {
    const codes = members.flatMap(({ wilayaId }) => (wilayaId === undefined ? [] : [wilayaCode(wilayaId)]))
    return { service, amount, of: groups.size === 1 ? 'parcel' : `parcel of wilaya ${codes.join(', ')}` }
  })
}
