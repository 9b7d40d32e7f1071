import type { Sql } from '../../data/sql.ts'
import { countSuccess } from './dispatch.queries.ts'
import type { Subject } from './subject.ts'

/** Below this many parcels that ended, a success rate says nothing. */
export const COUNTED_FROM = 20

export interface Delivered {
  /** Delivered of those that ended, 0 to 1; null where too few did. */
  readonly rate: number | null
  /** What the rate is at least, as sure as so many can tell: 19 of 20 are less than 950 of 1,000. */
  readonly atLeast: number | null
  readonly ended: number
}

/** How often an account delivers where this order goes, and how it goes there. */
export type Success = (connectionId: string, subject: Subject) => Delivered

/** Standard deviations on either side that hold 95 % of what chance does. */
const SURE = 1.96

/** The lower end of Wilson's interval. */
function lowerEnd(rate: number, ended: number): number {
  const spread = SURE ** 2 / ended
  return (rate + spread / 2 - SURE * Math.sqrt((rate * (1 - rate) + spread / 4) / ended)) / (1 + spread)
}

/** Reads the success of all accounts in all states that are asked for, at once. */
export async function readSuccess(sql: Sql, connectionIds: readonly string[], stateCodes: readonly string[]): Promise<Success> {
  const rows = connectionIds.length === 0 ? [] : await countSuccess(sql, connectionIds, [...new Set(stateCodes)])
  const known = new Map(rows.map((row) => [`${row.carrierAccountId} ${row.stateCode} ${row.deliveryType}`, row]))
  return (connectionId, { stateCode, deliveryType }) => {
    const { delivered = 0, returned = 0 } = known.get(`${connectionId} ${stateCode} ${deliveryType}`) ?? {}
    const ended = delivered + returned
    if (ended < COUNTED_FROM) return { rate: null, atLeast: null, ended }
    const rate = delivered / ended
    return { rate, atLeast: lowerEnd(rate, ended), ended }
  }
}
