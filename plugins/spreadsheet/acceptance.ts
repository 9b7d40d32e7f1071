import type { Case } from '../acceptance/accept.ts'
import { runRecorded } from '../acceptance/bench.ts'
import type { Draft } from './acceptance/bench.ts'
import { definitionCases } from './acceptance/definition.ts'
import { userEditCases } from './acceptance/hands.ts'
import type { Rig } from './acceptance/rig.ts'
import { wireCases } from './acceptance/wire.ts'
import { writingCases } from './acceptance/writing.ts'
import { type SpreadsheetAdapter, spreadsheet } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export type { Fault, Hand, Member, Rig, SeenCell } from './acceptance/rig.ts'

const chapters: readonly (() => Draft[])[] = [definitionCases, writingCases, userEditCases, wireCases]

/** Acceptance suite of spreadsheets. It checks the content of cells. Runs under any test runner, or without one. */
export function acceptance(adapter: SpreadsheetAdapter, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter())
    .map(({ name, run }) => ({
      name,
      async run() {
        const before = (await rig.calls()).length
        const calls = async () => (await rig.calls()).slice(before)
        await runRecorded(adapter, rig, spreadsheet.groups, (watched, open) => run({ adapter: watched, rig, open }), calls)
      },
    }))
}
