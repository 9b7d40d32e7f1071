import type { AdapterRegistry } from '../../../plugins/host/registry.ts'
import { parseMoney } from '../../http/body/amount.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { smallestUnitOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { usualCurrency } from '../../platform/geo/catalogue/usual-currency.ts'
import type { ParcelRow } from './parcels.queries.ts'

/** Carrier of a parcel, and its destination. The currency is the carrier's, or before it has one, the usual one of the destination. */
interface AmountContext {
  readonly courierId: string | null
  readonly country: string
}

/** Parses an amount of a parcel in its currency. Throws `invalid_request` with `field` for too many decimals. */
export function parseParcelAmount(
  plugins: AdapterRegistry,
  { courierId, country }: AmountContext,
  value: number,
  field: FieldPath,
): Decimal {
  const carrier = courierId === null ? undefined : plugins.find('carrier', courierId)?.carrier
  return parseMoney(value, field, carrier?.currency ?? usualCurrency(country) ?? '')
}

/** Returns an error when the currency of the carrier cannot represent the amounts of the parcel; undefined otherwise. */
export function unpayableAmountError({ mounted: { carrier } }: CarrierConnection, parcel: ParcelRow) {
  const wrong = [parcel.codAmount, parcel.declaredValue].find((value) => decimal(value) % smallestUnitOf(carrier.currency) !== 0n)
  if (wrong === undefined) return undefined
  const message = `${carrier.label} uses ${carrier.currency}, which cannot represent ${decimalText(decimal(wrong))}. Change the amounts of the parcel.`
  return { code: 'amount_not_payable', message }
}
