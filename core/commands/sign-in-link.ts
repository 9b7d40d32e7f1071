import type { Config } from '../config.ts'
import { assertMigrated } from '../data/database/migrate.ts'
import { connectPool } from '../data/sql.ts'
import { createSignInLink, SIGN_IN_LINK_MINUTES } from '../identity/codes/sign-in-link.ts'
import { openConfigured } from './open-configured.ts'

/**
 * Prints a link that signs a user in to the console, once, within an hour: for the first visit, or when a password is lost and mail does not
 * work. A server may be running on the database at the same time. Throws without such an account.
 */
export async function printSignInLink(config: Config, [email]: readonly string[], say: (line: string) => void): Promise<void> {
  if (email === undefined) throw new Error('Name the e-mail address of the account: serai sign-in-link amina@shop.example')
  const database = await openConfigured(config)
  const sql = connectPool(database.connection, 1)
  try {
    await assertMigrated(sql)
    const token = await createSignInLink(sql, email)
    if (token === null) throw new Error(`No account has the e-mail address ${email}.`)
    say(`This link signs in as ${email}, once, within ${SIGN_IN_LINK_MINUTES} minutes:`)
    say(`${config.publicUrl ?? `http://localhost:${config.port}`}/console/link#${token}`)
  } finally {
    await sql.end({ timeout: 5 })
    await database.leave()
  }
}
