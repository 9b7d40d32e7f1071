import type { Queryable } from '../../core/data/sql.ts'

/** Until so many of the database's sessions wait for what somebody else holds. */
export async function untilWaiting(sql: Queryable, sessions: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const waiting = await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length >= sessions) return
    await Bun.sleep(25)
  }
  throw new Error(`Fewer than ${sessions} sessions came to wait.`)
}
