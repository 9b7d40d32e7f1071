import { join } from 'node:path'
import type { Tx } from '../sql.ts'

const SCRIPT = join(import.meta.dir, '../../../migrations/carry-over/carry-over.sql')
/** History that the baseline replaces: its first and last file, and how many there were. */
const REPLACED = { first: '0001_processes.sql', last: '0145_job_names.sql', files: 109 }

/** Number of the last file of the baseline. */
const BASELINE_LAST = 12

/**
 * Carries a database over that was migrated before the baseline: renames what has another name now, and notes the files of the baseline as
 * applied. Does nothing on any other database. Throws if the old history is not complete. The caller holds the lock of migrations.
 */
export async function carryOver(tx: Tx, baseline: readonly string[]): Promise<void> {
  const applied = await tx<{ number: number; name: string }[]>`select number, name from schema_migrations order by number`
  if (applied[0]?.name !== REPLACED.first) return
  const last = applied.at(-1)?.name
  if (last !== REPLACED.last || applied.length !== REPLACED.files) {
    throw new Error(
      `The database stands at ${last}, before the baseline. Start the version that ends with ${REPLACED.last} once, then start this one.`,
    )
  }
  await tx.unsafe(await Bun.file(SCRIPT).text())
  await tx`delete from schema_migrations`
  // Later files are applied as usual.
  const rows = baseline.map((name) => ({ number: Number(name.slice(0, 4)), name })).filter(({ number }) => number <= BASELINE_LAST)
  await tx`insert into schema_migrations ${tx(rows)}`
}
