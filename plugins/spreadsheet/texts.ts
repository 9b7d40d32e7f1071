import { beginning } from '../toolkit/values.ts'

const UNPRINTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** What somebody wrote elsewhere, as it can be shown in one line. */
export const printed = (text: string, max: number): string => beginning(text.replace(UNPRINTED, ' ').trim(), max)

/** What stands in a cell, as it can be kept. */
export const written = (value: unknown, max: number): string =>
  value === null || value === undefined ? '' : beginning(String(value).replaceAll('\u0000', ''), max)
