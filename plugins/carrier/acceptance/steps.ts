import { nameOf } from '../../acceptance/calls.ts'
import { check, needed, same } from '../../acceptance/checks.ts'
import { adapterErrorNames } from '../../adapter.ts'
import type { Carrier, CarrierError } from '../contract.ts'
import { arrived, type Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import { deadlineMs, faulted, hasNot, noWire, readied, settle, silent, unknown, wordsOf } from './faults.ts'
import type { Fault, Rig } from './rig.ts'

/** What may go wrong with a call that stands beside the one that makes the parcel. */
const stepFaults: readonly Fault[] = [...unknown.map(([fault]) => fault), 'rate_limited']
const otherSteps = ({ steps }: Rig) => Object.keys(steps ?? {}).filter((step) => step !== 'create')

/** A sending may take several calls: whichever of them fails, in the end there is one parcel, and it ships. */
export const stepCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'each call of a sending can be made to fail', unless: carrier.net.length === 0 && noWire, run: stepsAreAll },
  ...otherSteps(rig).flatMap((step) =>
    stepFaults.map((fault) => ({
      name: `exactly one parcel after: ${wordsOf(fault)} at the step "${step}"`,
      unless: hasNot(carrier, rig, fault),
      run: (bench: Bench) => isSeenThrough(bench, fault, step),
    })),
  ),
  ...otherSteps(rig).map((step) => ({
    name: `each of several is one parcel after: lost answer at the step "${step}"`,
    unless: !carrier.sendMany && 'it sends one by one',
    run: (bench: Bench) => areSeenThrough(bench, step),
  })),
]

const shipping = ({ settings, modes }: Rig) => ({ settings: { ...settings, ...modes?.shipping } })

/** The steps that the rig names are all that a sending does, and it does all of them: anything else would never be made to fail. */
async function stepsAreAll({ carrier, rig, open }: Bench): Promise<void> {
  const desk = await readied(carrier, rig, open(shipping(rig)))
  const before = (await needed(rig.seen, 'seen')('')).calls.length
  const others = { name: 'Somebody New', phone: '+213550998877' }
  await carrier.send(desk.context, rig.shipment({ recipient: others }))
  await carrier.sendMany?.(desk.context, [rig.shipment({ recipient: { ...others, name: 'Somebody Else' } }), rig.shipment()])
  const made = (await rig.seen('')).calls.slice(before).map(nameOf)
  const steps = Object.values(needed(rig.steps ?? undefined, 'steps'))
  const isOf = (pattern: string | undefined, name: string) => pattern !== undefined && new RegExp(pattern).test(name)
  const unnamed = made.filter((name) => !name.startsWith('GET ') && !isOf(rig.reads, name) && !steps.some((step) => isOf(step, name)))
  same([...new Set(unnamed)], [], 'calls of a sending that the rig names as no step')
  const unseen = steps.filter((step) => !made.some((name) => isOf(step, name)))
  same(unseen, [], 'steps that no sending takes')
}

const callsAt = async (rig: Rig, step: string) =>
  (await rig.seen('')).calls.filter((call) => new RegExp(rig.steps![step]!).test(nameOf(call))).length

/** Whatever goes wrong beside the making of the parcel, in the end there is one, it ships, and nothing is said to be refused that is there. */
async function isSeenThrough({ carrier, rig, open }: Bench, fault: Fault, step: string): Promise<void> {
  const { context: first } = await readied(carrier, rig, open(shipping(rig)))
  const options = { ...shipping(rig), memory: first.memory }
  const { context } = open({ ...options, ...(silent.includes(fault) && { deadlineMs }) })
  const shipment = needed(rig.faults?.[fault], `faults.${fault}`)(
    rig.shipment({ recipient: { name: 'Somebody New', phone: '+213550998877' } }),
    step,
  )
  const before = await callsAt(rig, step)
  const outcome = await Promise.resolve(carrier.send(context, shipment)).catch((error: unknown) => error as CarrierError)
  rig.calm()
  const isNoticed = outcome instanceof Error || outcome.warnings?.length || (await callsAt(rig, step)) > before + 1
  check(isNoticed, `what went wrong at the step "${step}" is told, or tried again`)
  const later = open(options)
  const there = await rig.parcelsOf(later, shipment.reference)
  check(there.length <= 1, `there are ${there.length} parcels after the sending`)
  if (outcome instanceof Error) isToldRightly(outcome, there)
  if (outcome instanceof Error && carrier.exactlyOnce === 'unsafe' && outcome.reason === 'unavailable') return
  const settled = outcome instanceof Error ? await settle(carrier, later, shipment) : outcome.trackingId
  same(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels in the end')
  // News of it are read sooner or later, and may be what sees it through.
  await carrier.track?.(later.context, [settled])
  same((await arrived({ rig }, shipment.reference)).state, 'confirmed', 'state at the carrier in the end')
}

/** A refusal, wrong keys or a used up quota say that nothing was created. */
function isToldRightly(error: CarrierError, there: readonly string[]): void {
  check(adapterErrorNames.includes(error.name), `expected an AdapterError, got ${error.name}: ${error.message}`)
  check(error.reason === 'unavailable' || there.length === 0, `it says ${error.reason}, which means that nothing was created: ${there} was`)
}

async function areSeenThrough({ carrier, rig, open }: Bench, step: string): Promise<void> {
  const { context: first } = await readied(carrier, rig, open(shipping(rig)))
  const options = { ...shipping(rig), memory: first.memory }
  const shipments = ['One New', 'Two New'].map((name) => rig.shipment({ recipient: { name, phone: '+213550998877' } }))
  faulted(rig, 'lost_answer', step)
  const rows = await Promise.resolve(carrier.sendMany!(open(options).context, shipments)).catch((error: CarrierError) => {
    isToldRightly(error, [])
    return []
  })
  rig.calm()
  const later = open(options)
  for (const shipment of shipments) {
    const row = rows.find(({ reference }) => reference === shipment.reference)
    const there = await rig.parcelsOf(later, shipment.reference)
    check(!row?.refused || there.length === 0, `${shipment.reference} is refused, and ${there} is there`)
    if (!row?.sent && carrier.exactlyOnce === 'unsafe') continue
    const settled = row?.sent?.trackingId ?? (await settle(carrier, later, shipment))
    same(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels in the end')
    await carrier.track?.(later.context, [settled])
    same((await arrived({ rig }, shipment.reference)).state, 'confirmed', 'state at the carrier in the end')
  }
}
