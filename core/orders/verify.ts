import type { Context } from '../context.ts'
import { type Queryable, withoutStatementTimeout } from '../data/sql.ts'
import { underWayStatuses } from '../logistics/parcels/lifecycle/transitions.ts'
import {
  type Difference,
  listActiveDeletedStores,
  listOutdatedParcels,
  listParcelStatusMismatches,
  listPartReservationMismatches,
  listPartStatusMismatches,
  listReservationMismatches,
  listReturnMismatches,
  listTimelineMismatches,
} from './verify.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'orders.verify': Record<string, unknown>
  }
}

const REPORTED_MAX = 100

/** Lists inconsistencies between orders, stock, parcels and timelines, at most 100 per check. Empty when all is consistent. */
export async function findDifferences(sql: Queryable): Promise<Difference[]> {
  const checks = [
    listReservationMismatches,
    listTimelineMismatches,
    listOutdatedParcels,
    listParcelStatusMismatches,
    listPartReservationMismatches,
    listPartStatusMismatches,
    listReturnMismatches,
  ]
  const found = await Promise.all([
    ...checks.map((check) => check(sql, REPORTED_MAX)),
    listActiveDeletedStores(sql, REPORTED_MAX, underWayStatuses),
  ])
  return found.flat()
}

/** Logs every inconsistency as an error. Work of the job `orders.verify`. */
export async function logDifferences({ sql, log }: Context) {
  for (const difference of await withoutStatementTimeout(sql, findDifferences))
    log.error({ difference }, 'an order or a parcel does not add up')
}
