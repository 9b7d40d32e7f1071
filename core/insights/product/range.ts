import { dayFormat } from '../../lib/day-format.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { productErrors } from './product.errors.ts'
import { DAYS_DEFAULT, DAYS_MAX, type DayRange } from './product-figures.model.ts'

const formatDay = (timeZone: string, at: Date) => dayFormat('en-CA', timeZone).format(at)
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Lists all days of a range, in order. Throws `invalid_request` when the range is empty or too long. */
export function listDays({ from, to }: DayRange, timeZone: string, now = new Date()): string[] {
  const last = parseDay(to ?? formatDay(timeZone, now), ['to'])
  const first = parseDay(from ?? addDays(last, 1 - DAYS_DEFAULT), ['from'])
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  if (count < 1) throw productErrors.rangeReversed({ field: ['to'] })
  if (count > DAYS_MAX) throw productErrors.tooManyDays({ daysMax: DAYS_MAX }, { field: ['from'] })
  return Array.from({ length: count }, (_, later) => addDays(first, later))
}

/** Day after a day. */
export const dayAfter = (day: string) => addDays(day, 1)

/** Parses a day between the years 2000 and 2200. Throws `invalid_request`. */
function parseDay(text: string, field: FieldPath): string {
  const at = Date.parse(text)
  const year = Number(text.slice(0, 4))
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text || year < 2000 || year > 2200)
    throw productErrors.dayInvalid({ field })
  return text
}
