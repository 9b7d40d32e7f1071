import type { Case } from '../acceptance/accept.ts'
import { runCase } from './acceptance/bench.ts'
import { editCases } from './acceptance/edits.ts'
import { failureCases } from './acceptance/failing.ts'
import { pushingCases } from './acceptance/pushing.ts'
import { readingCases } from './acceptance/reading.ts'
import type { Rig } from './acceptance/rig.ts'
import { stockCases } from './acceptance/stock.ts'
import { callbackCases } from './acceptance/telling.ts'
import type { ConnectorAdapter } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { createStorage, type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export type { Fault, OrderEdit, Rig, Seen, SeenOrder, SeenSubscription, Shelf, ShelfGoods } from './acceptance/rig.ts'

/** Acceptance suite of connectors. Runs under any test runner, or without one. */
export function acceptance(platform: ConnectorAdapter, rig: Rig): Case[] {
  return [readingCases, callbackCases, editCases, pushingCases, stockCases, failureCases]
    .flatMap((chapter) => chapter(platform, rig))
    .map(({ name, unless, run }) => ({ name, ...(unless && { skip: unless }), run: () => runCase(platform, rig, run) }))
}
