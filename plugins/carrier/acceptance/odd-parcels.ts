import { assertEqual, check } from '../../acceptance/checks.ts'
import type { Carrier, Sent, Shipment } from '../contract.ts'
import { inMode } from './arrival.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Rig } from './rig.ts'
import { majorOf } from './seen.ts'

const oneByOne = 'it sends one by one'

/** Parcels that are right and seldom: each arrives as it is, or is refused in whole. */
export const oddParcelCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'a parcel that is paid collects nothing', run: collectsNothing },
  { name: 'a parcel that nobody weighed is sent with the usual weight', unless: rig.lacks?.weightGrams, run: weighsAsUsual },
  ...Object.entries(references).map(([what, tail]) => ({
    name: `a reference ${what} is kept whole or refused`,
    run: (bench: Bench) => keepsReference(bench, tail),
  })),
  { name: 'a second telephone number that is not taken is told', run: (bench) => tellsWhatIsLeftOut(bench, foreign, 'phoneAlt') },
  {
    name: 'notes that the carrier has no place for are told to be left out',
    unless: !rig.lacks?.notes && 'it has a place for notes',
    run: (bench) => tellsWhatIsLeftOut(bench, { notes: 'Sonner deux fois' }, 'notes'),
  },
  {
    name: 'several stay drafts until they are validated',
    unless: (!carrier.validate && 'it knows no drafts') || (!carrier.sendMany && oneByOne),
    run: severalStayDrafts,
  },
]

/** Behind a beginning of its own, up to 64 characters. */
const references = { 'of 64 characters': 'X'.repeat(64), 'with a space and signs': ' #7 & 50% + /1' } as const
const foreign = { recipient: { name: 'Karim Test', phone: '+213550000000', phoneAlt: '+33612345678' } }

/** Undefined where it was refused, with nothing of it at the carrier. */
async function sentOrRefused({ carrier, rig, open }: Bench, shipment: Shipment, settings: Rig['settings'] = {}): Promise<Sent | undefined> {
  const desk = open({ settings: { ...rig.settings, ...settings } })
  const sent = await Promise.resolve(carrier.send(desk.context, shipment)).catch((error: unknown) => {
    assertEqual((error as { reason?: string }).reason, 'refused', `reason of ${String(error)}`)
  })
  if (!sent) assertEqual(await rig.parcelsOf(desk, shipment.reference), [], 'parcels of what was refused')
  return sent ?? undefined
}

async function collectsNothing(bench: Bench): Promise<void> {
  const shipment = bench.rig.shipment({ codAmount: 0 })
  if (await sentOrRefused(bench, shipment))
    assertEqual(majorOf((await findRecordedParcel(bench, shipment.reference)).cod), 0, 'amount to collect')
}

const LIGHTEST_GRAMS = 100

/** A setting `weightKg` says how much that is; a carrier may also be told nothing. */
async function weighsAsUsual(bench: Bench): Promise<void> {
  const isSet = bench.carrier.settings.weightKg?.type === 'number'
  const shipment = bench.rig.shipment({ weightKg: 0 })
  if (!(await sentOrRefused(bench, shipment, isSet ? { weightKg: 3 } : {}))) return
  const { weightGrams } = await findRecordedParcel(bench, shipment.reference)
  if (isSet) assertEqual(weightGrams, 3000, 'grams of a parcel that nobody weighed, where 3 kg are usual')
  else check(weightGrams === null || weightGrams >= LIGHTEST_GRAMS, `${weightGrams} g is no weight of a parcel that nobody weighed`)
}

async function keepsReference(bench: Bench, tail: string): Promise<void> {
  const { carrier, rig } = bench
  const usual = rig.shipment()
  const reference = `${usual.reference}${tail}`.slice(0, 64)
  const sent = await sentOrRefused(bench, { ...usual, reference })
  if (!sent) return
  const desk = bench.open()
  if (rig.steps) assertEqual(await rig.parcelsOf(desk, reference), [sent.trackingId], `parcels under ${reference}`)
  if (rig.steps && carrier.findByReference)
    assertEqual((await carrier.findByReference(desk.context, reference))?.trackingId, sent.trackingId, `look-up of ${reference}`)
}

/** It arrives all the same, is refused, or a warning says that it was left out: alone, and as one of several. */
async function tellsWhatIsLeftOut(bench: Bench, change: Partial<Shipment>, field: 'phoneAlt' | 'notes'): Promise<void> {
  const { carrier, rig, open } = bench
  const isTold = async (reference: string, warnings: Sent['warnings'] = []) => {
    const there = (await findRecordedParcel(bench, reference))[field]
    check(there || warnings.length > 0, `${field} of ${reference} neither arrived nor is told to be left out`)
  }
  const alone = rig.shipment(change)
  const sent = await sentOrRefused(bench, alone)
  if (sent) await isTold(alone.reference, sent.warnings)
  if (!carrier.sendMany) return
  const several = [rig.shipment(change), rig.shipment(change)]
  for (const row of await carrier.sendMany(open().context, several)) if (row.sent) await isTold(row.reference, row.sent.warnings)
}

async function severalStayDrafts(bench: Bench): Promise<void> {
  const shipments = [bench.rig.shipment(), bench.rig.shipment()]
  await bench.carrier.sendMany!(inMode(bench, 'draft').context, shipments)
  for (const { reference } of shipments) assertEqual((await findRecordedParcel(bench, reference)).state, 'draft', 'state at the carrier')
}
