/** Reads an amount as people type it: `1 500`, `1500,50` or Arabic digits. Returns undefined for an empty text and NaN for anything else. */
export function readAmount(text: string): number | undefined {
  const plain = text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/[,٫]/, '.')
  if (plain === '') return undefined
  return /^\d+(\.\d{1,4})?$/.test(plain) ? Number(plain) : Number.NaN
}

/**
 * Returns the text by which customers are searched. A phone number is stored with the code of its country, so that its leading zero would
 * find nothing.
 */
export const searchableText = (text: string): string => (/^[\d\s.+-]+$/.test(text) ? text.replace(/[\s.+-]/g, '').replace(/^0+/, '') : text)
