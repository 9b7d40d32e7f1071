import type { Config } from '../config.ts'
import { runChecks } from '../data/checks.ts'
import { assertMigrated } from '../data/database/migrate.ts'
import { connectPool } from '../data/sql.ts'
import { listChecks } from '../features.ts'
import { openConfigured } from './open-configured.ts'

/**
 * Runs all consistency checks on the configured database, and prints each rule with what breaks it. A server may be running on the database
 * at the same time. Changes nothing. Returns true when all rules hold.
 */
export async function runCheckCommand(config: Config, say: (line: string) => void): Promise<boolean> {
  const database = await openConfigured(config)
  const sql = connectPool(database.connection, 1)
  try {
    await assertMigrated(sql)
    let broken = 0
    for await (const { rule, differences } of runChecks(sql, listChecks())) {
      say(`${differences.length === 0 ? 'ok    ' : 'BROKEN'} ${rule}`)
      for (const difference of differences) say(`       ${JSON.stringify(difference)}`)
      if (differences.length > 0) broken += 1
    }
    say(broken === 0 ? 'All rules hold.' : `Broken rules: ${broken}. Keep this output, and ask for help before you change rows by hand.`)
    return broken === 0
  } finally {
    await sql.end({ timeout: 5 })
    await database.leave()
  }
}
