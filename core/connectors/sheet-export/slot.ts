import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { newId } from '../../lib/ids.ts'
import { endTurn, holdsTarget, type TargetRow, takeTurn } from './sheets.queries.ts'

/** Longer than any call: whoever is dead by then has nothing under way any more. */
const SECONDS = 60

/** The turn was lost, or the target is another sheet by now: what was noted meanwhile is somebody else's. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost'
}

export interface Turn {
  /** Does something to what is noted of the rows, where it is still this writer's to do. */
  note(work: (tx: Tx) => Promise<unknown>): Promise<void>
  end(): Promise<unknown>
}

const WAIT_MS = 250
const WAITS = 12

/** Does something with a file, or whatever else has one writer, while nobody else does. Throws `unavailable` where others go on at it. */
export async function inTurn<V>({ sql }: Pick<Context, 'sql'>, key: string, name: string, work: () => Promise<V>): Promise<V> {
  const [file, by] = [`${key} ${name}`, newId('trn')]
  for (let tries = 1; !(await takeTurn(sql, file, by, SECONDS)); tries += 1) {
    if (tries > WAITS) throw new AdapterFailure('unavailable', false, 'Something else is under way there. Try again in a minute.')
    await sleep(WAIT_MS)
  }
  return work().finally(() => endTurn(sql, file, by))
}

/** The right to write into a file, for one writer at a time, wherever it runs; undefined where somebody else has it. */
export async function turnAt({ sql }: Pick<Context, 'sql'>, key: string, target: TargetRow): Promise<Turn | undefined> {
  const [file, by] = [`${key} ${target.spreadsheetId}`, newId('trn')]
  if (!(await takeTurn(sql, file, by, SECONDS))) return undefined
  return {
    note: (work) =>
      transaction(sql, async (tx) => {
        if (!(await takeTurn(tx, file, by, SECONDS)) || !(await holdsTarget(tx, target)))
          throw new TurnLost('Somebody else writes the sheet.')
        await work(tx)
      }),
    end: () => endTurn(sql, file, by),
  }
}
