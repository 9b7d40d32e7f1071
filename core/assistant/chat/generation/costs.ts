const PLACES = 18

const parseDecimal = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(fraction.padEnd(PLACES, '0').slice(0, PLACES))
}

/** Adds two exact decimals of up to 18 places. An unknown addend adds nothing; null means that no cost is known. */
export function addCosts(before: string | null, more: string | undefined): string | null {
  if (more === undefined) return before
  const digits = (parseDecimal(before ?? '0') + parseDecimal(more)).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}
