import type { Case } from '../acceptance/accept.ts'
import { bench } from './acceptance/bench.ts'
import { editCases } from './acceptance/edits.ts'
import { failingCases } from './acceptance/failing.ts'
import { pushingCases } from './acceptance/pushing.ts'
import { readingCases } from './acceptance/reading.ts'
import type { Rig } from './acceptance/rig.ts'
import { stockCases } from './acceptance/stock.ts'
import { tellingCases } from './acceptance/telling.ts'
import type { ConnectorAdapter } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Desk, type DeskOptions, memory, openDesk } from '../acceptance/desk.ts'
export type { Fault, OrderEdit, Rig, Seen, SeenOrder, SeenSubscription, Shelf, ShelfGoods } from './acceptance/rig.ts'

/** Acceptance suite of connectors. Runs under any test runner, or without one. */
export function acceptance(platform: ConnectorAdapter, rig: Rig): Case[] {
  return [readingCases, tellingCases, editCases, pushingCases, stockCases, failingCases]
    .flatMap((chapter) => chapter(platform, rig))
    .map(({ name, unless, run }) => ({ name, ...(unless && { skip: unless }), run: () => bench(platform, rig, run) }))
}
