import { beginning, text } from '../toolkit/values.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
const UNPRINTED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const ADDRESS_MAX = 2000

/** What advertisers and platforms wrote, as people are shown it; undefined where nothing is left. What was pasted holds whatever was copied with it. */
export const printed = (written: unknown, max: number): string | undefined =>
  beginning((text(written) ?? '').replace(UNPRINTED, ' ').trim(), max) || undefined

/** Where an ad leads; undefined where nobody could go there. Advertisers leave blanks before, behind and in it. */
export function pageAddress(written: unknown): string | undefined {
  const url = URL.parse(text(written)?.trim() ?? '')
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && url.href.length <= ADDRESS_MAX ? url.href : undefined
}
