const PLACES = 18

const exact = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(fraction.padEnd(PLACES, '0').slice(0, PLACES))
}

/** Of exact decimals; what is not known adds nothing, and nothing known is null. */
export function sumOf(before: string | null, more: string | undefined): string | null {
  if (more === undefined) return before
  const digits = (exact(before ?? '0') + exact(more)).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}
