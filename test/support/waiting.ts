import type { Queryable } from '../../core/data/sql.ts'

/**
 * Until so many of the database's sessions wait for what somebody else holds, each of them for one statement in two looks: who waits for a turn
 * to notify or to lengthen a table is through at once, and would be taken for the one that the test means.
 */
export async function untilWaiting(sql: Queryable, sessions: number): Promise<void> {
  let before = new Set<string>()
  for (let tries = 0; tries < 600; tries += 1) {
    const waiting = await sql<{ statement: string }[]>`select pid || ' ' || query_start as statement from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event not in ('object', 'extend')`
    const now = new Set(waiting.map(({ statement }) => statement))
    if (now.intersection(before).size >= sessions) return
    before = now
    await Bun.sleep(25)
  }
  throw new Error(`Fewer than ${sessions} sessions came to wait.`)
}
