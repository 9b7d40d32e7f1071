import { fromMinor, money, word } from 'serai/connector'

const DIGITS = 4
/** Of a percentage, so that 100 % comes to the same scale as an amount. */
const WHOLE = 100n * 10n ** BigInt(DIGITS)

/**
 * A price with the tax that comes on top of it, as finely as the price is written: hundredths at least, thousandths at most. Shops type
 * prices in with the tax, and Salla takes it out again. Undefined where the price is none.
 */
export function withTax(price: unknown, percent: unknown): string | undefined {
  const written = money(price)
  if (written === undefined) return undefined
  const tax = scaled(money(word(percent)?.replace('%', '')) ?? '0')
  if (tax === 0n) return written
  const digits = Math.min(Math.max(written.split('.')[1]?.length ?? 0, 2), 3)
  const unit = WHOLE * 10n ** BigInt(DIGITS - digits)
  return fromMinor(String((scaled(written) * (WHOLE + tax) + unit / 2n) / unit), digits)
}

const scaled = (written: string): bigint => {
  const [whole = '0', part = ''] = written.split('.')
  return BigInt(whole + part.padEnd(DIGITS, '0'))
}
