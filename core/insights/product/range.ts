import { invalidValue } from '../../http/errors/errors.ts'
import { dayFormat } from '../../lib/day-format.ts'
import { DAYS_DEFAULT, DAYS_MAX, type Range } from './product-figures.model.ts'

const DAY_MS = 86_400_000

const dayIn = (timeZone: string, at: Date) => dayFormat('en-CA', timeZone).format(at)
const shifted = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** All days that are asked for, in their order. Throws `invalid_request` where they are none, or too many. */
export function daysOf({ from, to }: Range, timeZone: string, now = new Date(), at: '/query' | '/body' = '/query'): string[] {
  const last = day(to ?? dayIn(timeZone, now), `${at}/to`)
  const first = day(from ?? shifted(last, 1 - DAYS_DEFAULT), `${at}/from`)
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  if (count < 1) throw invalidValue(`${at}/to`, 'It is before the first day.')
  if (count > DAYS_MAX) throw invalidValue(`${at}/from`, `At most ${DAYS_MAX} days at once.`)
  return Array.from({ length: count }, (_, later) => shifted(first, later))
}

export const dayAfter = (day: string) => shifted(day, 1)

/** Years that every calendar here knows. */
function day(text: string, path: string): string {
  const at = Date.parse(text)
  const year = Number(text.slice(0, 4))
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text || year < 2000 || year > 2200)
    throw invalidValue(path, 'A day, as 2026-01-31.')
  return text
}
