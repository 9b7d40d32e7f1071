import { DAY_MS } from './durations.ts'
import { lowestIdAt } from './ids.ts'

/** Range of a store's days, as ISO dates. `until` is exclusive. */
export interface StoreDays {
  readonly storeId: string
  readonly timeZone: string
  readonly from: string
  readonly until: string
}

/** Tolerance for ids that are created before the order they belong to. */
const SLACK_MS = 3_600_000

/** Returns the range of ids created between two moments: the first inclusive, the last exclusive. A missing bound is open. */
export const idRangeBetween = (prefix: string, from: string | undefined, to: string | undefined): [first: string, last: string] => [
  lowestIdAt(prefix, Date.parse(from ?? '1970-01-01') - SLACK_MS),
  lowestIdAt(prefix, Date.parse(to ?? '9999-12-31') + SLACK_MS),
]

/**
 * Returns a range of ids that includes everything created on these days. Widened by a day, since time zones differ from UTC by at most
 * that. Lets a query use the index on ids.
 */
export const idRangeOfDays = (prefix: string, { from, until }: StoreDays): [first: string, last: string] => [
  lowestIdAt(prefix, Date.parse(from) - DAY_MS - SLACK_MS),
  lowestIdAt(prefix, Date.parse(until) + DAY_MS + SLACK_MS),
]
