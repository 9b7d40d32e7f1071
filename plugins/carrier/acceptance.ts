import { type Bench, bench } from './acceptance/bench.ts'
import { callbackCases } from './acceptance/callbacks.ts'
import { definitionCases } from './acceptance/definition.ts'
import { moneyCases } from './acceptance/money.ts'
import { placeCases } from './acceptance/places.ts'
import { readingCases } from './acceptance/reading.ts'
import type { Rig } from './acceptance/rig.ts'
import { sendingCases } from './acceptance/sending.ts'
import type { Carrier } from './contract.ts'

export { type Connection, memory, openDesk, shipment } from './acceptance/desk.ts'
export type { CallbackEvent, Desk, DeskOptions, Fault, Rig } from './acceptance/rig.ts'

/** One thing that every carrier must do. It fails by throwing; a reason to skip says why it does not concern this one. */
export interface Case {
  readonly name: string
  readonly skip?: string
  run(): Promise<void>
}

/** A case as its author writes it: `unless` gives a reason to skip, or nothing. */
export interface Draft {
  readonly name: string
  readonly unless?: string | false | undefined
  readonly run: (bench: Bench) => Promise<void> | void
}

const chapters = [definitionCases, sendingCases, readingCases, placeCases, callbackCases, moneyCases]

/** What a carrier is accepted by, whoever wrote it. Runs under any test runner, or none. */
export function acceptance(carrier: Carrier, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter(carrier, rig))
    .map(({ name, unless, run }) => ({
      name,
      ...(unless && { skip: unless }),
      run: () => bench(carrier, rig, run),
    }))
}
