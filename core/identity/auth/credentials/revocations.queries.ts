import { expectOne, type Queryable } from '../../../data/sql.ts'

export interface Told {
  /** All transactions before this one are over: who reads on from it misses none. */
  readonly horizon: string
  /** `id tag`: what may no longer be remembered. */
  readonly told: string[]
}

/** What was told by transactions from this one on; with null nothing, but from where to read on. */
export const readRevocations = async (sql: Queryable, from: string | null, most: number) =>
  expectOne(
    await sql<Told[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      array(select id || ' ' || tag from revocations where xid >= ${from}::xid8 limit ${most}) as told`,
  )

export const forgetRevocations = (sql: Queryable) => sql`delete from revocations where at < now() - interval '1 hour'`
