/** Reads an amount as people type it: `1 500`, `1500,50` or Arabic digits. Returns undefined for an empty text and NaN for anything else. */
export function readAmount(text: string): number | undefined {
  const plain = text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/[,٫]/, '.')
  if (plain === '') return undefined
  return /^\d+(\.\d{1,4})?$/.test(plain) ? Number(plain) : Number.NaN
}
