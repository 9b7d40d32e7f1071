import type { Case } from '../acceptance/accept.ts'
import { runRecorded } from '../acceptance/bench.ts'
import { requestCases } from './acceptance/arriving.ts'
import type { Draft } from './acceptance/bench.ts'
import { definitionCases } from './acceptance/definition.ts'
import { mediaCases } from './acceptance/gifts.ts'
import type { Rig } from './acceptance/rig.ts'
import { wireCases } from './acceptance/wire.ts'
import { answerCases } from './acceptance/writing.ts'
import { type ModelAdapter, model } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export type { Fault, Heard, Rig, Said, Script } from './acceptance/rig.ts'

const chapters: readonly (() => Draft[])[] = [definitionCases, answerCases, requestCases, mediaCases, wireCases]

/** Acceptance suite of model sources. Runs under any test runner, or without one. */
export function acceptance(adapter: ModelAdapter, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter())
    .map(({ name, skip, run }) => {
      const why = skip?.({ adapter, rig })
      return {
        name,
        ...(why && { skip: why }),
        async run() {
          const before = (await rig.calls()).length
          const calls = async () => (await rig.calls()).slice(before)
          await runRecorded(adapter, rig, model.groups, (watched, open) => run({ adapter: watched, rig, open }), calls)
        },
      }
    })
}
