import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { newId } from '../../lib/ids.ts'
import { acquireFileLease, lockIfSameTarget, releaseFileLease, type SheetTargetRow } from './sheets.queries.ts'

/** Duration of a lease: longer than any call, so a dead owner has no call under way when it expires. */
const SECONDS = 60

/** Error of a writer that lost its lease, or whose target is another sheet by now. Its records must not be written. */
export class LeaseLost extends Error {
  override readonly name = 'TurnLost'
}

/** Lease to write a file. */
export interface FileLease {
  /** Runs work on the recorded rows in a transaction, after it has extended the lease. Throws {@link LeaseLost}. */
  runFenced(work: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Releases the lease. */
  release(): Promise<unknown>
}

const WAIT_MS = 250
const WAITS_MAX = 12

/**
 * Runs work while it holds the lease of a file, or of anything else with one writer. Waits up to three seconds, then throws `unavailable`.
 */
export async function withFileLease<V>({ sql }: Pick<Context, 'sql'>, key: string, name: string, work: () => Promise<V>): Promise<V> {
  const [file, ownerId] = [`${key} ${name}`, newId('trn')]
  for (let tries = 1; !(await acquireFileLease(sql, file, ownerId, SECONDS)); tries += 1) {
    if (tries > WAITS_MAX)
      throw new AdapterFailure('unavailable', 'Another operation on this file is under way. Try again in a minute.', { wasSent: false })
    await sleep(WAIT_MS)
  }
  return work().finally(() => releaseFileLease(sql, file, ownerId))
}

/** Acquires the lease to write the target's file; undefined if another writer has it. */
export async function acquireWriteLease(
  { sql }: Pick<Context, 'sql'>,
  key: string,
  target: SheetTargetRow,
): Promise<FileLease | undefined> {
  const [file, ownerId] = [`${key} ${target.spreadsheetId}`, newId('trn')]
  if (!(await acquireFileLease(sql, file, ownerId, SECONDS))) return undefined
  return {
    runFenced: (work) =>
      transaction(sql, async (tx) => {
        if (!(await acquireFileLease(tx, file, ownerId, SECONDS)) || !(await lockIfSameTarget(tx, target)))
          throw new LeaseLost('Another process is writing the sheet.')
        await work(tx)
      }),
    release: () => releaseFileLease(sql, file, ownerId),
  }
}
