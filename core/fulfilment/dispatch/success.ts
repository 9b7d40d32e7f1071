import type { Sql } from '../../data/sql.ts'
import { countDeliveryOutcomes } from './dispatch.queries.ts'
import type { DispatchSubject } from './subject.ts'

/** Minimum number of ended parcels for a success rate. */
export const SUCCESS_SAMPLE_MIN = 20

/** Success rate of a connection at a destination. */
export interface SuccessRate {
  /** Delivered share of the ended parcels, from 0 to 1; null when too few have ended. */
  readonly rate: number | null
  /** Lower bound of the rate with 95 % certainty: 19 of 20 is lower than 950 of 1,000. */
  readonly atLeast: number | null
  readonly ended: number
}

/** Returns the success rate of a connection for the state and delivery type of an order. */
export type SuccessLookup = (connectionId: string, subject: DispatchSubject) => SuccessRate

/** Standard deviations on each side for 95 % certainty. */
const Z_95 = 1.96

/** Lower bound of Wilson's score interval. */
function wilsonLowerBound(rate: number, ended: number): number {
  const spread = Z_95 ** 2 / ended
  return (rate + spread / 2 - Z_95 * Math.sqrt((rate * (1 - rate) + spread / 4) / ended)) / (1 + spread)
}

/** Reads the success rates of all connections in the given states, with one query. */
export async function readSuccessRates(sql: Sql, connectionIds: readonly string[], stateCodes: readonly string[]): Promise<SuccessLookup> {
  const rows = connectionIds.length === 0 ? [] : await countDeliveryOutcomes(sql, connectionIds, [...new Set(stateCodes)])
  const known = new Map(rows.map((row) => [`${row.carrierAccountId} ${row.stateCode} ${row.deliveryType}`, row]))
  return (connectionId, { stateCode, deliveryType }) => {
    const { delivered = 0, returned = 0 } = known.get(`${connectionId} ${stateCode} ${deliveryType}`) ?? {}
    const ended = delivered + returned
    if (ended < SUCCESS_SAMPLE_MIN) return { rate: null, atLeast: null, ended }
    const rate = delivered / ended
    return { rate, atLeast: wilsonLowerBound(rate, ended), ended }
  }
}
