import { callName } from '../../acceptance/calls.ts'
import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import { adapterErrorNames } from '../../adapter.ts'
import type { Carrier, CarrierError } from '../contract.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import {
  deadlineMs,
  faultName,
  NO_CALLS,
  reasonWithoutFault,
  resolveOutcome,
  shipmentWithFault,
  silentFaults,
  unknownOutcomeFaults,
  warmUp,
} from './faults.ts'
import type { Fault, Rig } from './rig.ts'

/** Faults of a call other than the one that creates the parcel. */
const stepFaults: readonly Fault[] = [...unknownOutcomeFaults.map(([fault]) => fault), 'rate_limited']
const otherSteps = ({ steps }: Rig) => Object.keys(steps ?? {}).filter((step) => step !== 'create')

/** Cases for a sending of several calls. Whichever call fails, the result is one parcel, and it ships. */
export const stepCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'the rig names every call of a sending', unless: carrier.net.length === 0 && NO_CALLS, run: stepsAreAll },
  ...otherSteps(rig).flatMap((step) =>
    stepFaults.map((fault) => ({
      name: `exactly one parcel exists after: ${faultName(fault)} at the step "${step}"`,
      unless: reasonWithoutFault(carrier, rig, fault),
      run: (bench: Bench) => isSeenThrough(bench, fault, step),
    })),
  ),
  ...otherSteps(rig).map((step) => ({
    name: `each of several parcels exists once after: lost answer at the step "${step}"`,
    unless: !carrier.sendMany && 'it sends one by one',
    run: (bench: Bench) => areSeenThrough(bench, step),
  })),
]

const shipping = ({ settings, modes }: Rig) => ({ settings: { ...settings, ...modes?.shipping } })

/** Checks that the steps of the rig are exactly the calls of a sending. An unnamed call would never be tested with faults. */
async function stepsAreAll({ carrier, rig, open }: Bench): Promise<void> {
  const desk = await warmUp(carrier, rig, open(shipping(rig)))
  const before = (await requireMember(rig.seen, 'seen')('')).calls.length
  const others = { name: 'Somebody New', phone: '+213550998877' }
  await carrier.send(desk.context, rig.shipment({ recipient: others }))
  await carrier.sendMany?.(desk.context, [rig.shipment({ recipient: { ...others, name: 'Somebody Else' } }), rig.shipment()])
  const made = (await rig.seen('')).calls.slice(before).map(callName)
  const steps = Object.values(requireMember(rig.steps ?? undefined, 'steps'))
  const isOf = (pattern: string | undefined, name: string) => pattern !== undefined && new RegExp(pattern).test(name)
  const unnamed = made.filter((name) => !name.startsWith('GET ') && !isOf(rig.reads, name) && !steps.some((step) => isOf(step, name)))
  assertEqual([...new Set(unnamed)], [], 'calls of a sending that are not a step of the rig')
  const unseen = steps.filter((step) => !made.some((name) => isOf(step, name)))
  assertEqual(unseen, [], 'steps that no sending has')
}

const callsAt = async (rig: Rig, step: string) =>
  (await rig.seen('')).calls.filter((call) => new RegExp(rig.steps![step]!).test(callName(call))).length

/** Checks that after a fault at this step there is one parcel, which ships, and that no existing parcel is reported as refused. */
async function isSeenThrough({ carrier, rig, open }: Bench, fault: Fault, step: string): Promise<void> {
  const { context: first } = await warmUp(carrier, rig, open(shipping(rig)))
  const options = { ...shipping(rig), storage: first.storage }
  const { context } = open({ ...options, ...(silentFaults.includes(fault) && { deadlineMs }) })
  const shipment = requireMember(rig.faults?.[fault], `faults.${fault}`)(
    rig.shipment({ recipient: { name: 'Somebody New', phone: '+213550998877' } }),
    step,
  )
  const before = await callsAt(rig, step)
  const outcome = await Promise.resolve(carrier.send(context, shipment)).catch((error: unknown) => error as CarrierError)
  rig.calm()
  const isNoticed = outcome instanceof Error || outcome.warnings?.length || (await callsAt(rig, step)) > before + 1
  check(isNoticed, `the fault at the step "${step}" is reported, or the step is repeated`)
  const later = open(options)
  const there = await rig.parcelsOf(later, shipment.reference)
  check(there.length <= 1, `there are ${there.length} parcels after the sending`)
  if (outcome instanceof Error) isToldRightly(outcome, there)
  if (outcome instanceof Error && carrier.exactlyOnce === 'unsafe' && outcome.reason === 'unavailable') return
  const settled = outcome instanceof Error ? await resolveOutcome(carrier, later, shipment) : outcome.trackingId
  assertEqual(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels at the end')
  // Later reads of the parcel may complete it.
  await carrier.track?.(later.context, [settled])
  assertEqual((await findRecordedParcel({ rig }, shipment.reference)).state, 'confirmed', 'state at the carrier at the end')
}

/** Checks that an error other than `unavailable` means that nothing was created. */
function isToldRightly(error: CarrierError, there: readonly string[]): void {
  check(adapterErrorNames.includes(error.name), `expected an AdapterError, got ${error.name}: ${error.message}`)
  check(
    error.reason === 'unavailable' || there.length === 0,
    `it reports ${error.reason}, which means that nothing was created, but ${there} was`,
  )
}

async function areSeenThrough({ carrier, rig, open }: Bench, step: string): Promise<void> {
  const { context: first } = await warmUp(carrier, rig, open(shipping(rig)))
  const options = { ...shipping(rig), storage: first.storage }
  const shipments = ['One New', 'Two New'].map((name) => rig.shipment({ recipient: { name, phone: '+213550998877' } }))
  shipmentWithFault(rig, 'lost_answer', step)
  const rows = await Promise.resolve(carrier.sendMany!(open(options).context, shipments)).catch((error: CarrierError) => {
    isToldRightly(error, [])
    return []
  })
  rig.calm()
  const later = open(options)
  for (const shipment of shipments) {
    const row = rows.find(({ reference }) => reference === shipment.reference)
    const there = await rig.parcelsOf(later, shipment.reference)
    check(!row?.refused || there.length === 0, `${shipment.reference} is reported as refused, but ${there} exists`)
    if (!row?.sent && carrier.exactlyOnce === 'unsafe') continue
    const settled = row?.sent?.trackingId ?? (await resolveOutcome(carrier, later, shipment))
    assertEqual(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels at the end')
    await carrier.track?.(later.context, [settled])
    assertEqual((await findRecordedParcel({ rig }, shipment.reference)).state, 'confirmed', 'state at the carrier at the end')
  }
}
