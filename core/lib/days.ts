import { momentOfIds } from './ids.ts'

const DAY_MS = 86_400_000

/** Days of a store, `until` not among them. */
export interface StoreDays {
  readonly storeId: string
  readonly timeZone: string
  readonly from: string
  readonly until: string
}

/** An order's id may have been made this much before the order was. */
const SLACK_MS = 3_600_000

/** What is made from one moment until another has ids from the first of these on, and below the second. */
export const idsBetween = (prefix: string, from: string | undefined, to: string | undefined): [first: string, last: string] => [
  momentOfIds(prefix, Date.parse(from ?? '1970-01-01') - SLACK_MS),
  momentOfIds(prefix, Date.parse(to ?? '9999-12-31') + SLACK_MS),
]

/** Zones are at most a day from UTC: what is made in these days has ids between these two, so that an index says where they begin and end. */
export const idsOfDays = (prefix: string, { from, until }: StoreDays): [first: string, last: string] => [
  momentOfIds(prefix, Date.parse(from) - DAY_MS - SLACK_MS),
  momentOfIds(prefix, Date.parse(until) + DAY_MS + SLACK_MS),
]
