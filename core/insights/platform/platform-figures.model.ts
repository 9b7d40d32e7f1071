import { Type as T } from '@sinclair/typebox'
import { exact, named } from '../../http/schema.ts'

export const DAYS_MAX = 92
export const DAYS_DEFAULT = 30

const Day = T.String({ format: 'date', description: 'a day in UTC, YYYY-MM-DD' })

export const TimelineQuery = exact({
  from: T.Optional({ ...Day, description: `the first day, in UTC; ${DAYS_DEFAULT} days before the last unless said` }),
  to: T.Optional({ ...Day, description: `the last day, in UTC; today unless said. At most ${DAYS_MAX} days at once` }),
})

export const TimelineDay = named(
  'PlatformDay',
  T.Object({ day: Day, signUps: T.Integer(), orders: T.Integer({ description: 'orders taken, those deleted since among them' }) }),
)
