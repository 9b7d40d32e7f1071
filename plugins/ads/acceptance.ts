import type { Case } from '../acceptance/accept.ts'
import { runRecorded } from '../acceptance/bench.ts'
import { definitionCases } from './acceptance/definition.ts'
import type { Draft } from './acceptance/draft.ts'
import { eventCases } from './acceptance/events.ts'
import { failureCases } from './acceptance/failures.ts'
import { readingCases } from './acceptance/reading.ts'
import type { Rig } from './acceptance/rig.ts'
import { ads } from './kind.ts'
import type { AdsAdapter } from './members.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export { event } from './acceptance/draft.ts'
export type { Fault, Rig, SeenEvent } from './acceptance/rig.ts'

const chapters: readonly (() => Draft[])[] = [definitionCases, readingCases, eventCases, failureCases]

/** Acceptance suite of advertising platforms. Runs under any test runner, or without one. */
export function acceptance(adapter: AdsAdapter, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter())
    .map(({ name, run }) => ({
      name,
      async run() {
        const before = (await rig.calls()).length
        const calls = async () => (await rig.calls()).slice(before)
        await runRecorded(adapter, rig, ads.groups, (watched, open) => run({ adapter: watched, rig, open }), calls)
      },
    }))
}
