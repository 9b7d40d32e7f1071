import type { Registry } from '../../../plugins/host/registry.ts'
import { parseMoney } from '../../http/body/amount.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { smallestUnitOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { usualCurrency } from '../../platform/geo/catalogue/usual-currency.ts'
import type { ParcelRow } from './parcels.queries.ts'

/** What a parcel is paid in: as its carrier counts; before it has one, what is usual where it goes. */
interface Going {
  readonly courierId: string | null
  readonly country: string
}

/** A caller's amount of a parcel: 400 with its place where it has more decimals than what it is paid in. */
export function parcelAmount(plugins: Registry, { courierId, country }: Going, value: number, path: string): Decimal {
  const carrier = courierId === null ? undefined : plugins.find('carrier', courierId)?.carrier
  return parseMoney(value, path, carrier?.currency ?? usualCurrency(country) ?? '')
}

/** Why a carrier cannot take the amounts of a parcel; undefined where it can. */
export function uncountable({ mounted: { carrier } }: CarrierConnection, parcel: ParcelRow) {
  const wrong = [parcel.codAmount, parcel.declaredValue].find((value) => decimal(value) % smallestUnitOf(carrier.currency) !== 0n)
  if (wrong === undefined) return undefined
  const message = `${carrier.label} counts in ${carrier.currency}, which has no ${decimalText(decimal(wrong))}. Change the amounts of the parcel.`
  return { code: 'amount_not_payable', message }
}
