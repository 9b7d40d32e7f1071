import type { Sql } from '../../data/sql.ts'
import { forgetOver } from './grants.queries.ts'

const BATCH = 5_000

/** Forgets what is over, but for tokens, which go with the week that they stand in. */
export async function keepHouse(sql: Sql): Promise<void> {
  while (await forgetOver(sql, BATCH));
}
