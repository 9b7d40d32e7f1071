import { AdapterError, isRow, present, text, word } from 'serai/payment'
import { LABEL } from './fields.ts'

/** What PayPal takes, by its own list: neither dinars nor dirhams of the Maghreb are among them, nor pounds of Egypt. */
export const currencies: readonly string[] =
  'USD EUR JPY GBP AUD BRL CAD CHF CNY CZK DKK HKD HUF ILS MXN MYR NOK NZD PHP PLN SEK SGD THB TWD'.split(' ')
/** PayPal takes no decimals of these; by ISO 4217 the first two have some. */
const WHOLE: readonly string[] = ['HUF', 'TWD', 'JPY']
export const steps = { HUF: 100, TWD: 100 }

/** As many decimals as our unit has. */
const placesOf = (currency: string): number => (currency === 'JPY' ? 0 : 2)

export interface Money {
  readonly currency_code: string
  readonly value: string
}

/** As PayPal writes it: a text, with as many decimals as it takes. Throws `refused` for what does not come out whole. */
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

/** In our unit; empty where it cannot be read, or does not come out whole. */
export function amountIn(value: unknown): { amount?: number; currency?: string } {
  const currency = isRow(value) ? text(value.currency_code) : undefined
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec((isRow(value) && word(value.value)) || '') ?? []
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return {}
  const places = placesOf(currency)
  if (whole === undefined || /[1-9]/.test(fraction.slice(places))) return { currency }
  const amount = Number(whole + fraction.slice(0, places).padEnd(places, '0'))
  return { currency, ...present({ amount: amount <= AMOUNT_MAX ? amount : undefined }) }
}
