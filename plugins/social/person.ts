import { beginning, text } from '../toolkit/values.ts'

const NAME_MAX = 120
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
const UNPRINTED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0]{1,189}$/

/** A person's name as it can be kept; undefined where nothing is left of it. */
export const nameIn = (said: unknown): string | undefined =>
  beginning((text(said) ?? '').replace(UNPRINTED, '').trim(), NAME_MAX).trim() || undefined

/** An address as it can be kept; undefined where it is none. */
export function emailIn(said: unknown): string | undefined {
  const email = text(said)?.trim()
  return email !== undefined && EMAIL.test(email) ? email : undefined
}
