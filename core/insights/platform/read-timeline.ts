import type { Sql } from '../../data/sql.ts'
import { countSignUps } from '../../identity/auth/users/users.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import { platformErrors } from './platform.errors.ts'
import { DAYS_DEFAULT, DAYS_MAX } from './platform-figures.model.ts'
import { countOrdersBetween } from './platform-figures.queries.ts'

const textOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** Reads sign-ups and orders of the platform for every day of a range, in UTC. Throws `invalid_request` for an invalid range. */
export async function readPlatformTimeline(sql: Sql, { from, to }: { readonly from?: string; readonly to?: string }, now = Date.now()) {
  const last = Date.parse(to ?? textOf(now))
  const first = from === undefined ? last - (DAYS_DEFAULT - 1) * DAY_MS : Date.parse(from)
  const days = (last - first) / DAY_MS + 1
  if (!(days >= 1 && days <= DAYS_MAX)) throw platformErrors.rangeInvalid({ daysMax: DAYS_MAX }, { field: ['from'] })
  const borders = Array.from({ length: days + 1 }, (_, at) => first + at * DAY_MS)
  const [orders, signUps] = await Promise.all([
    countOrdersBetween(
      sql,
      borders.map((moment) => lowestIdAt('ord', moment)),
    ),
    countSignUps(sql, new Date(first), new Date(last + DAY_MS)),
  ])
  const byDay = new Map(signUps.map(({ day, count }) => [day, count]))
  return orders.map(({ count }, at) => {
    const day = textOf(first + at * DAY_MS)
    return { day, signUps: byDay.get(day) ?? 0, orders: count }
  })
}
