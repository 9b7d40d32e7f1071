import { sha256, toHex } from '../toolkit/proof.ts'

/**
 * How customers' data are written before they are hashed. Platforms compare digests: one letter that is written otherwise matches nobody.
 * Undefined where nothing is left.
 */
const HASHED = /^[0-9a-f]{64}$/i
const some = (text: string) => text || undefined
const lower = (text: string) => text.normalize('NFC').trim().toLowerCase()

export const normalEmail = (typed: string) => some(lower(typed))

/** Digits with the country code, without zeros before it. One that is typed without its country matches nobody, and is left out. */
export function phoneDigits(typed: string): string | undefined {
  const compact = typed.replace(/[^\d+]/g, '')
  const international = compact.startsWith('+') || compact.startsWith('00')
  return international ? some(compact.replace(/\D/g, '').replace(/^0+/, '')) : undefined
}

/** The same as E.164, with its plus. */
export function phoneWithPlus(typed: string): string | undefined {
  const digits = phoneDigits(typed)
  return digits && `+${digits}`
}

/** Without punctuation; letters stay as they are, accents and all. */
export const normalName = (typed: string) => some(lower(typed).replace(/\p{P}/gu, '').trim())
/** Without spaces, digits and punctuation. */
export const normalCity = (typed: string) => some(lower(typed).replace(/[\p{P}\p{N}\s]/gu, ''))
/** Without spaces; of the United States the first five digits. */
export function normalZip(typed: string, country = ''): string | undefined {
  const zip = lower(typed).replace(/\s/g, '')
  return some(lower(country) === 'us' ? zip.replace(/^(\d{5})-?\d{4}$/, '$1') : zip)
}
export const normalCountry = normalEmail

/** The digest of a text that is written as it should be; one that is a digest already stays, in small letters. */
export async function hashed(text: string | undefined): Promise<string | undefined> {
  if (text === undefined || HASHED.test(text)) return text?.toLowerCase()
  return toHex(await sha256(text))
}

/** What was typed, written by `normal` and hashed. */
export const hashedAs = (normal: (typed: string) => string | undefined, typed: string | undefined): Promise<string | undefined> =>
  hashed(typed === undefined ? undefined : HASHED.test(typed) ? typed : normal(typed))
