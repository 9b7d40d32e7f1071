import { sha256, toHex } from '../toolkit/proof.ts'

/**
 * Pattern of a SHA-256 digest. Customer data are normalized before they are hashed, since platforms compare digests and one different
 * letter matches nobody. The normalizing functions return undefined if nothing remains.
 */
const HASHED = /^[0-9a-f]{64}$/i
const some = (text: string) => text || undefined
const lower = (text: string) => text.normalize('NFC').trim().toLowerCase()

/** Normalizes an email address: trimmed, in lower case. */
export const normalEmail = (typed: string) => some(lower(typed))

/**
 * Normalizes a phone number to digits with the country code, without leading zeros. Undefined for a number without a country code, which
 * would match nobody.
 */
export function phoneDigits(typed: string): string | undefined {
  const compact = typed.replace(/[^\d+]/g, '')
  const international = compact.startsWith('+') || compact.startsWith('00')
  return international ? some(compact.replace(/\D/g, '').replace(/^0+/, '')) : undefined
}

/** Normalizes a phone number to E.164, with its plus. Undefined for a number without a country code. */
export function phoneWithPlus(typed: string): string | undefined {
  const digits = phoneDigits(typed)
  return digits && `+${digits}`
}

/** Normalizes a name: lower case, without punctuation; accents stay. */
export const normalName = (typed: string) => some(lower(typed).replace(/\p{P}/gu, '').trim())
/** Normalizes a city: lower case, without spaces, digits and punctuation. */
export const normalCity = (typed: string) => some(lower(typed).replace(/[\p{P}\p{N}\s]/gu, ''))
/** Normalizes a postal code: lower case, without spaces; in the United States only the first five digits. */
export function normalZip(typed: string, country = ''): string | undefined {
  const zip = lower(typed).replace(/\s/g, '')
  return some(lower(country) === 'us' ? zip.replace(/^(\d{5})-?\d{4}$/, '$1') : zip)
}
/** Normalizes a country code: trimmed, in lower case. */
export const normalCountry = (typed: string) => some(lower(typed))

/** Hashes a normalized text with SHA-256. A text that already is a digest stays, in lower case. */
export async function hashed(text: string | undefined): Promise<string | undefined> {
  if (text === undefined || HASHED.test(text)) return text?.toLowerCase()
  return toHex(await sha256(text))
}

/** Normalizes a text with `normal` and hashes it. A digest is not hashed again. */
export const hashedAs = (normal: (typed: string) => string | undefined, typed: string | undefined): Promise<string | undefined> =>
  hashed(typed === undefined ? undefined : HASHED.test(typed) ? typed : normal(typed))
