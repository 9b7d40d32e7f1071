import type { Case } from '../acceptance/accept.ts'
import { arrivalCases } from './acceptance/arrival.ts'
import { runCase } from './acceptance/bench.ts'
import { callbackCases } from './acceptance/callbacks.ts'
import { definitionCases } from './acceptance/definition.ts'
import { editCases } from './acceptance/edits.ts'
import { failureCases } from './acceptance/failures.ts'
import { listingCases } from './acceptance/listing.ts'
import { moneyCases } from './acceptance/money.ts'
import { oddParcelCases } from './acceptance/odd-parcels.ts'
import { offerCases } from './acceptance/offers.ts'
import { placeCases } from './acceptance/places.ts'
import { readingCases } from './acceptance/reading.ts'
import type { Rig } from './acceptance/rig.ts'
import { sendingCases } from './acceptance/sending.ts'
import { setUpCases } from './acceptance/setting-up.ts'
import { stepCases } from './acceptance/steps.ts'
import { wireCases } from './acceptance/wire.ts'
import type { Carrier } from './contract.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Connection, createStorage, type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export type { CallbackEvent, Fault, Lacking, Prices, Rig } from './acceptance/rig.ts'
export type { Seen, SeenParcel, Sum } from './acceptance/seen.ts'
export { shipment } from './acceptance/shipment.ts'

const chapters = [
  definitionCases,
  sendingCases,
  stepCases,
  arrivalCases,
  oddParcelCases,
  editCases,
  readingCases,
  listingCases,
  offerCases,
  placeCases,
  callbackCases,
  setUpCases,
  moneyCases,
  failureCases,
  wireCases,
]

/** Acceptance suite of carriers. Runs under any test runner, or without one. */
export function acceptance(carrier: Carrier, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter(carrier, rig))
    .map(({ name, unless, run }) => ({
      name,
      ...(unless && { skip: unless }),
      run: () => runCase(carrier, rig, run),
    }))
}
