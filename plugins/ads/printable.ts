import { beginning, text } from '../toolkit/values.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const ADDRESS_MAX = 2000

/**
 * Converts a text of advertisers or platforms for display: without control characters, at most `max` characters. Undefined if nothing
 * remains.
 */
export const printed = (written: unknown, max: number): string | undefined =>
  beginning((text(written) ?? '').replace(CONTROL_CHARACTERS, ' ').trim(), max) || undefined

/** Reads the destination of an ad; undefined if it is not a web address. Advertisers leave spaces before, after and inside it. */
export function pageAddress(written: unknown): string | undefined {
  const url = URL.parse(text(written)?.trim() ?? '')
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && url.href.length <= ADDRESS_MAX ? url.href : undefined
}
