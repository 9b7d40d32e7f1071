import type { Adapter } from '../adapter.ts'
import { type Clocks, type SeenCall, saysNothingInAddresses, stampsInTime } from './calls.ts'
import { same } from './checks.ts'
import type { Desk, DeskOptions } from './desk.ts'
import { leaksNothing, watched } from './watch.ts'

interface Rehearsal extends Clocks {
  open(options?: DeskOptions): Desk
  /** The rig behaves again. */
  calm(): void
}

/**
 * Runs one case of any kind with the adapter under watch and connections to its other side; whatever it was about, no secret may have come
 * out or stood in an address, no undeclared host may have been asked, and no call may have told a time that is not its own. `calls`: those
 * that reached the other side since.
 */
export async function underWatch<A extends Adapter, R extends Rehearsal & Parameters<typeof leaksNothing>[1]>(
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
    await run(watched(adapter, groups, seen), open)
  } finally {
    rig.calm()
  }
  leaksNothing(adapter, rig, [...seen, ...desks.flatMap(({ logged }) => logged)])
  same(
    desks.flatMap(({ undeclared }) => undeclared),
    [],
    'hosts asked for but not declared',
  )
  if (desks.length === 0) return
  const made = await calls()
  saysNothingInAddresses(adapter, rig, made)
  stampsInTime(
    made,
    desks.map(({ context }) => context.now() - Date.now()),
    rig,
  )
}
