import type { Sql } from '../../data/sql.ts'
import { weekOf } from '../auth/token-text.ts'
import { dropWeeks, forgetOver, makeWeeks } from './grants.queries.ts'
import { REFRESH_MS } from './issue.ts'

/** Made ahead of need: the night's work may fail for weeks. */
const WEEKS_AHEAD = 5
const BATCH = 5_000

/** Makes the parts of the token tables that tokens given now, or in the weeks to come, will stand in. */
export const makeRoom = (sql: Sql, now = Date.now()) => makeWeeks(sql, weekOf(now), weekOf(now + REFRESH_MS) + WEEKS_AHEAD)

/** Makes room, drops the parts of weeks that are over, and forgets all else that is. */
export async function keepHouse(sql: Sql, now = Date.now()): Promise<void> {
  await makeRoom(sql, now)
  await dropWeeks(sql, weekOf(now))
  while (await forgetOver(sql, BATCH));
}
