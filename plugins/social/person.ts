import { beginning, text } from '../toolkit/values.ts'

const NAME_MAX = 120
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const EMAIL = /^[^@\s\0]{1,64}@[^@\s\0]{1,189}$/

/** Reads a person's name without control characters, at most 120 characters; undefined if nothing remains. */
export const nameIn = (value: unknown): string | undefined =>
  beginning((text(value) ?? '').replace(CONTROL_CHARACTERS, '').trim(), NAME_MAX).trim() || undefined

/** Reads an email address; undefined if it is invalid. */
export function emailIn(value: unknown): string | undefined {
  const email = text(value)?.trim()
  return email !== undefined && EMAIL.test(email) ? email : undefined
}
