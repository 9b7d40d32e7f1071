import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import { silentWorkerLogger } from '../jobs.ts'
import type { Sql } from '../sql.ts'
import { carryOver } from './carry-over.ts'

const FOLDER = join(import.meta.dir, '../../../migrations')
const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/
/** Key of the advisory lock. All processes must use the same number. */
const LOCK = 7_233_001

/**
 * Migrates the schema to this version. Safe when several processes start at once: one migrates, the others wait for the lock. Returns the
 * number of the newest migration. Throws if a newer version has migrated the database.
 */
export async function migrate(sql: Sql, connectionString: string): Promise<number> {
  const files = await listMigrations()
  const newest = numberOf(files.at(-1) ?? '')
  if (hasSchemaOf(files, await listApplied(sql))) return newest
  await sql.begin(async (tx) => {
    // Disables the timeouts: tables may be large, and another process may hold the lock.
    await tx`set local statement_timeout = 0`
    await tx`set local lock_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx`create table if not exists schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())`
    await carryOver(tx, files)
    const done = new Set((await tx<{ number: number }[]>`select number from schema_migrations`).map((row) => row.number))
    const newestApplied = Math.max(0, ...done)
    if (newestApplied > newest) {
      throw new Error(
        `The database has schema ${newestApplied}; this version knows ${newest}. Start the version that migrated it, or a newer one.`,
      )
    }
    for (const name of files) {
      const number = numberOf(name)
      if (done.has(number)) continue
      await tx`insert into schema_migrations ${tx({ number, name })}`
      await tx.unsafe(await Bun.file(join(FOLDER, name)).text())
    }
    await runMigrations({ connectionString, logger: silentWorkerLogger })
  })
  return newest
}

/** Throws if the database is not at this version's schema. Changes nothing. */
export async function assertMigrated(sql: Sql): Promise<void> {
  if (hasSchemaOf(await listMigrations(), await listApplied(sql))) return
  throw new Error('The database has the schema of another version. Start the server of this version on it once, then try again.')
}

async function listMigrations(): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => FILE.test(name)).sort()
  if (files.length === 0) throw new Error(`There are no migrations in ${FOLDER}.`)
  return files
}

/** Compares all names, because migrations of several branches may be merged out of order, and the baseline uses old numbers again. */
const hasSchemaOf = (files: readonly string[], applied: readonly string[]) =>
  applied.length === files.length && files.every((name) => applied.includes(name))

const numberOf = (file: string) => Number(file.slice(0, 4))

async function listApplied(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('schema_migrations')::text as name`
  if (!table?.name) return []
  return (await sql<{ name: string }[]>`select name from schema_migrations`).map(({ name }) => name)
}
