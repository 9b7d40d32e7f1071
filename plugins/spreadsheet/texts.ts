import { beginning } from '../toolkit/values.ts'

const CONTROL_CHARACTERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** Converts a text from the platform for display in one line: without control characters, at most `max` characters. */
export const printed = (text: string, max: number): string => beginning(text.replace(CONTROL_CHARACTERS, ' ').trim(), max)

/** Converts the content of a cell to a text that can be stored: without NUL, at most `max` characters, empty for null. */
export const written = (value: unknown, max: number): string =>
  value === null || value === undefined ? '' : beginning(String(value).replaceAll('\u0000', ''), max)
