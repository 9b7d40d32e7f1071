import type { Sql } from '../data/sql.ts'
import { COUNTED_FROM, type Subject } from './candidates.ts'
import { countSuccess } from './dispatch.queries.ts'

/** How often an account delivers where this order goes, and how it goes there. */
export type Success = (accountId: string, subject: Subject) => { readonly rate: number | null; readonly ended: number }

/** Reads the success of all accounts in all states that are asked for, at once. */
export async function readSuccess(sql: Sql, accountIds: readonly string[], stateCodes: readonly string[]): Promise<Success> {
  const rows = accountIds.length === 0 ? [] : await countSuccess(sql, accountIds, [...new Set(stateCodes)])
  const known = new Map(rows.map((row) => [`${row.carrierAccountId} ${row.stateCode} ${row.deliveryType}`, row]))
  return (accountId, { stateCode, deliveryType }) => {
    const { delivered = 0, returned = 0 } = known.get(`${accountId} ${stateCode} ${deliveryType}`) ?? {}
    const ended = delivered + returned
    return { rate: ended < COUNTED_FROM ? null : delivered / ended, ended }
  }
}
