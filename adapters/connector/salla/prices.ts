import { fromMinor, money, word } from 'serai/connector'

const DIGITS = 4
/** 100 % as an integer with `DIGITS` decimals. */
const WHOLE = 100n * 10n ** BigInt(DIGITS)

/**
 * Adds tax to a price, at the price's precision: two to three decimals. Shops enter prices with tax, and Salla takes it off. Undefined when
 * the price is unreadable.
 */
export function withTax(price: unknown, percent: unknown): string | undefined {
  const written = money(price)
  if (written === undefined) return undefined
  const tax = toScaled(money(word(percent)?.replace('%', '')) ?? '0')
  if (tax === 0n) return written
  const digits = Math.min(Math.max(written.split('.')[1]?.length ?? 0, 2), 3)
  const unit = WHOLE * 10n ** BigInt(DIGITS - digits)
  return fromMinor(String((toScaled(written) * (WHOLE + tax) + unit / 2n) / unit), digits)
}

const toScaled = (written: string): bigint => {
  const [whole = '0', part = ''] = written.split('.')
  return BigInt(whole + part.padEnd(DIGITS, '0'))
}
