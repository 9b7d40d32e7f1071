import { AdapterError, isRow, present, text, word } from 'serai/payment'
import { LABEL } from './fields.ts'

/** Currencies of PayPal's list. Currencies of the Maghreb and Egypt are not among them. */
export const currencies: readonly string[] =
  'USD EUR JPY GBP AUD BRL CAD CHF CNY CZK DKK HKD HUF ILS MXN MYR NOK NZD PHP PLN SEK SGD THB TWD'.split(' ')
/** Currencies without decimals at PayPal, although ISO 4217 gives the first two some. */
const WHOLE: readonly string[] = ['HUF', 'TWD', 'JPY']
export const steps = { HUF: 100, TWD: 100 }

/** Returns the number of decimals of our unit. */
const placesOf = (currency: string): number => (currency === 'JPY' ? 0 : 2)

export interface Money {
  readonly currency_code: string
  readonly value: string
}

/** Formats an amount as PayPal does: text with the currency's decimals. Throws `refused` for one that needs more decimals. */
export function moneyFor(amount: number, currency: string): Money {
  const places = placesOf(currency)
  const digits = String(amount).padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  const isWhole = WHOLE.includes(currency)
  if (isWhole && Number(fraction) > 0)
    throw new AdapterError('refused', `${LABEL} takes amounts in ${currency} without decimals.`, { code: 'decimals' })
  return { currency_code: currency, value: isWhole ? whole : `${whole}.${fraction}` }
}

const AMOUNT_MAX = 1e13

/** Parses an amount into our unit; empty when it is unreadable or not whole. */
export function amountIn(value: unknown): { amount?: number; currency?: string } {
  const currency = isRow(value) ? text(value.currency_code) : undefined
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec((isRow(value) && word(value.value)) || '') ?? []
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return {}
  const places = placesOf(currency)
  if (whole === undefined || /[1-9]/.test(fraction.slice(places))) return { currency }
  const amount = Number(whole + fraction.slice(0, places).padEnd(places, '0'))
  return { currency, ...present({ amount: amount <= AMOUNT_MAX ? amount : undefined }) }
}
