import type { Adapter } from '../adapter.ts'
import { assertCurrentTimes, assertNoSecretsInUrls, type Clocks, type SeenCall } from './calls.ts'
import { assertEqual } from './checks.ts'
import type { Desk, DeskOptions } from './desk.ts'
import { assertNoSecretsLeaked, recordAdapter } from './watch.ts'

interface WatchedRig extends Clocks {
  open(options?: DeskOptions): Desk
  /** Ends all faults of the simulator. */
  calm(): void
}

/**
 * Runs one case with a recorded adapter and connections to its simulator. Afterwards it checks that no secret leaked or was part of a URL,
 * and that only declared hosts were called. It also checks that each call carried its own time. `calls` returns the calls that reached the
 * simulator since the start.
 */
export async function runRecorded<A extends Adapter, R extends WatchedRig & Parameters<typeof assertNoSecretsLeaked>[1]>(
  adapter: A,
  rig: R,
  groups: readonly string[],
  run: (watchedAdapter: A, open: (options?: DeskOptions) => Desk) => Promise<void> | void,
  calls: () => Promise<readonly SeenCall[]>,
): Promise<void> {
  const seen: unknown[] = []
  const desks: Desk[] = []
  const open = (options?: DeskOptions) => {
    const desk = rig.open(options)
    desks.push(desk)
    return desk
  }
  try {
    await run(recordAdapter(adapter, groups, seen), open)
  } finally {
    rig.calm()
  }
  assertNoSecretsLeaked(adapter, rig, [...seen, ...desks.flatMap(({ logged }) => logged)])
  assertEqual(
    desks.flatMap(({ undeclared }) => undeclared),
    [],
    'hosts asked for but not declared',
  )
  if (desks.length === 0) return
  const made = await calls()
  assertNoSecretsInUrls(adapter, rig, made)
  assertCurrentTimes(
    made,
    desks.map(({ context }) => context.now() - Date.now()),
    rig,
  )
}
