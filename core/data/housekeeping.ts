import type { Sql } from './sql.ts'

declare module './jobs.ts' {
  interface Jobs {
    housekeeping: Record<string, unknown>
  }
}

/** Forgets what is kept for a time only. */
export async function housekeep(sql: Sql) {
  await sql`delete from idempotency_keys where created_at < now() - interval '7 days'`
  await sql`delete from session_tokens where expires_at < now()`
  // Shares are counted over thirty days; who asks why an order went where it did asks within months.
  await sql`delete from dispatches where outcome <> 'running' and at < now() - interval '180 days'`
}
