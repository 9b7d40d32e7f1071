import type { Sql } from './sql.ts'

declare module './jobs.ts' {
  interface Jobs {
    housekeeping: Record<string, unknown>
  }
}

/** Forgets what is kept for a time only. */
export async function housekeep(sql: Sql) {
  await sql`delete from idempotency_keys where created_at < now() - interval '7 days'`
}
