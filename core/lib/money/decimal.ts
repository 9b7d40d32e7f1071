/** An exact decimal with four places, as a whole number of ten-thousandths. Money and quantities are computed in it, never in floats. */
export type Decimal = bigint

const PLACES = 4
/** Decimal value of 1. */
export const ONE: Decimal = 10n ** BigInt(PLACES)
const FORM = /^(-?)(\d{1,15})(?:\.(\d+))?$/

/** Parses a JSON number or the database's `numeric` text. Returns null if it has more than `places` decimals or is out of range. */
export function parseDecimal(value: number | string, places = PLACES): Decimal | null {
  const [, sign, whole, fraction = ''] = FORM.exec(String(value)) ?? []
  if (whole === undefined) return null
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > places) return null
  const magnitude = BigInt(whole) * ONE + BigInt(digits.padEnd(PLACES, '0') || 0)
  return sign ? -magnitude : magnitude
}

/** Parses a value that a database or a schema has validated. Throws a RangeError if it is not a decimal. */
export function decimal(value: number | string): Decimal {
  const parsed = parseDecimal(value)
  if (parsed === null) throw new RangeError(`${value} is not a decimal with up to ${PLACES} places`)
  return parsed
}

/** Formats a decimal for SQL parameters: `-12.5`. */
export function decimalText(value: Decimal): string {
  const magnitude = value < 0n ? -value : value
  const fraction = (magnitude % ONE).toString().padStart(PLACES, '0').replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${magnitude / ONE}${fraction && `.${fraction}`}`
}

/** Returns the smaller of two decimals. */
export const min = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

const EXACT_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** Converts a decimal to a JSON number. Such numbers carry fifteen significant digits exactly. */
export const decimalNumber = (value: Decimal): number =>
  // Dividing an exact whole number gives the number nearest to the decimal, as parsing its text does.
  value <= EXACT_MAX && value >= -EXACT_MAX ? Number(value) / Number(ONE) : Number(decimalText(value))

/** Multiplies two decimals. Rounds half away from zero to `places`. */
export function multiply(value: Decimal, factor: Decimal, places = PLACES): Decimal {
  return roundTo(value * factor, PLACES * 2 - places) * 10n ** BigInt(PLACES - places)
}

/** Drops the last `digits` digits of a whole number. Rounds half away from zero. */
function roundTo(value: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(digits)
  const half = value < 0n ? -unit / 2n : unit / 2n
  return (value + half) / unit
}
