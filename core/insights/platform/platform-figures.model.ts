import { Type as T } from '@sinclair/typebox'
import { exact, named } from '../../http/schema.ts'

/** Maximum number of days of one response. */
export const DAYS_MAX = 92
/** Default number of days of one response. */
export const DAYS_DEFAULT = 30

const Day = T.String({ format: 'date', description: 'a day in UTC, YYYY-MM-DD' })

/** Query for the platform figures by day. */
export const PlatformTimelineQuery = exact({
  from: T.Optional({ ...Day, description: `the first day, in UTC; ${DAYS_DEFAULT} days before the last by default` }),
  to: T.Optional({ ...Day, description: `the last day, in UTC; today by default. At most ${DAYS_MAX} days at once` }),
})

/** Platform figures of one day. */
export const PlatformDay = named(
  'PlatformDay',
  T.Object({
    day: Day,
    signUps: T.Integer(),
    orders: T.Integer({ description: 'created orders, including those that were deleted since' }),
  }),
)
