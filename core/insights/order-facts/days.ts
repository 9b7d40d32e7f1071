import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import { dayAfter } from '../product/range.ts'
import type { Interval } from './analytics.model.ts'
import type { DayRun } from './counting.queries.ts'

/** Tolerance of the id range: an id may be older than its order, and days differ in length. */
const SLACK_MS = 3 * HOUR_MS

/** Offset of a time zone from UTC at a time, in milliseconds. */
function utcOffsetMs(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const [, sign, hours = '0', minutes = '0'] =
    /([+-])(\d+):(\d+)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + (Number(minutes) * HOUR_MS) / 60)
}

const idAt = (day: string, timeZone: string, slackMs: number) =>
  lowestIdAt('ord', Date.parse(day) - utcOffsetMs(timeZone, Date.parse(day)) + slackMs)

/** Run of days from one day to another, both included. */
export function dayRunOf(from: string, to: string, timeZone: string): DayRun {
  const until = dayAfter(to)
  return { from, until, firstId: idAt(from, timeZone, -SLACK_MS), lastId: idAt(until, timeZone, SLACK_MS) }
}

/** Maximum number of queries for scattered days; the days between them are read and dropped. */
const RUNS_MAX = 6

/** Runs that contain the given days, which must be in order. Merges runs across the smallest gaps down to the maximum number. */
export function dayRunsOf(days: readonly string[], timeZone: string): DayRun[] {
  const gaps = days.slice(1).map((day, at) => Date.parse(day) - Date.parse(days[at] ?? day))
  const widest = gaps
    .map((gap, at) => ({ gap, at }))
    .filter(({ gap }) => gap > DAY_MS)
    .sort((a, b) => b.gap - a.gap)
  const ends = widest
    .slice(0, RUNS_MAX - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const [froms, tos] = [
    [first, ...ends.map((at) => days[at + 1] ?? last)],
    [...ends.map((at) => days[at] ?? last), last],
  ]
  return froms.map((from, at) => dayRunOf(from, tos[at] ?? last, timeZone))
}

const mondayOf = (day: string) => {
  const at = new Date(day)
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  return at.toISOString().slice(0, 10)
}

const intervalKeys: { readonly [I in Interval]: (day: string) => string } = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => day.slice(0, 7),
}

/** Days of one interval of a series. */
export interface IntervalSpan {
  readonly from: string
  readonly to: string
  readonly days: readonly string[]
}

/** Groups days into intervals, in order. */
export function intervalSpansOf(days: readonly string[], interval: Interval): IntervalSpan[] {
  return [...Map.groupBy(days, intervalKeys[interval]).values()].map((within) => ({
    from: within[0] ?? '',
    to: within.at(-1) ?? '',
    days: within,
  }))
}
