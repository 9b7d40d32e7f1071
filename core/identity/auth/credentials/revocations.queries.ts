import { expectOne, type Queryable } from '../../../data/sql.ts'

/** Revocations that were read at once. */
export interface RevocationBatch {
  /** Transaction id below which all transactions have ended. The next read starts from it and misses none. */
  readonly horizon: string
  /** Revocations as `id tag`, where the tag names cache entries to evict. */
  readonly revocations: string[]
}

/** Reads at most `most` revocations of transactions since `from`. With null it reads none, but returns the horizon to start from. */
export const readRevocations = async (sql: Queryable, from: string | null, most: number) =>
  expectOne(
    await sql<RevocationBatch[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      array(select id || ' ' || tag from revocations where xid >= ${from}::xid8 limit ${most}) as revocations`,
  )

/** Deletes revocations older than one hour. */
export const deleteOldRevocations = (sql: Queryable) => sql`delete from revocations where at < now() - interval '1 hour'`
