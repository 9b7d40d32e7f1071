import { join } from 'node:path'
import type { Tx } from '../sql.ts'

const FOLDER = join(import.meta.dir, '../../../migrations')
const SCRIPT = join(FOLDER, 'carry-over/carry-over.sql')
const COMMENT = /^comment on .*;$/gm
/** History that the baseline replaces: its first and last file, and how many there were. */
const REPLACED = { first: '0001_processes.sql', last: '0145_job_names.sql', files: 109 }

/** Number of the last file of the baseline. */
const BASELINE_LAST = 12

/**
 * Carries over a database that was migrated before the baseline: renames what has another name now, writes the comments, and notes the files
 * of the baseline as applied. Does nothing on any other database. Throws if the old history is not complete. The caller holds the lock of
 * migrations. Servers of the version before must be stopped: they would ask for the old names.
 */
export async function carryOver(tx: Tx, files: readonly string[]): Promise<void> {
  const applied = await tx<{ number: number; name: string }[]>`select number, name from schema_migrations order by number`
  if (applied[0]?.name !== REPLACED.first) return
  const last = applied.at(-1)?.name
  if (last !== REPLACED.last || applied.length !== REPLACED.files) {
    throw new Error(
      `The database stands at ${last}, before the baseline. Start the version that ends with ${REPLACED.last} once, then start this one.`,
    )
  }
  await tx.unsafe(await Bun.file(SCRIPT).text())
  // Later files are applied as usual.
  const baseline = files.map((name) => ({ number: Number(name.slice(0, 4)), name })).filter(({ number }) => number <= BASELINE_LAST)
  for (const { name } of baseline) await tx.unsafe(((await Bun.file(join(FOLDER, name)).text()).match(COMMENT) ?? []).join('\n'))
  await tx`delete from schema_migrations`
  await tx`insert into schema_migrations ${tx(baseline)}`
}
