import type { Context } from '../context.ts'
import type { JobHandlers } from '../data/jobs.ts'
import type { Queryable } from '../data/sql.ts'
import { type Difference, ordersAgainstParcels, ordersAgainstReservations, parcelsAgainstTimelines } from './verify.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'orders.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** What does not add up between orders, their stock, their parcels and the parcels' timelines; empty where all does. */
export async function findDifferences(sql: Queryable): Promise<Difference[]> {
  const checks = [ordersAgainstReservations, parcelsAgainstTimelines, ordersAgainstParcels]
  return (await Promise.all(checks.map((check) => check(sql, REPORTED_MAX)))).flat()
}

export const verifyJobs = ({ sql, log }: Context): Pick<JobHandlers, 'orders.verify'> => ({
  async 'orders.verify'() {
    for (const difference of await findDifferences(sql)) log.error({ difference }, 'an order or a parcel does not add up')
  },
})
