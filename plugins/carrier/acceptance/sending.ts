import { callName } from '../../acceptance/calls.ts'
import { assertEqual, assertFits, assertUnique, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Carrier } from '../contract.ts'
import { type CarrierParcel, Sent, SentRow } from '../model.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import { editableOf } from './edits.ts'
import {
  deadlineMs,
  faultName,
  reasonWithoutFault,
  resolveOutcome,
  shipmentWithFault,
  silentFaults,
  unknownOutcomeFaults,
  warmUp,
} from './faults.ts'
import type { Fault, Rig } from './rig.ts'
import { majorOf } from './seen.ts'

const slackMs = 1_500

/** Cases about sending, editing and cancelling parcels. */
export const sendingCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'a parcel is sent', run: isSent },
  { name: 'an amount with a fraction arrives unchanged or is refused', run: keepsFractions },
  { name: 'an amount over the limit is refused', unless: !carrier.codMax && 'it has no limit', run: refusesTooMuch },
  { name: 'a refusal is reported, and nothing is created', run: tellsRefusal },
  { name: 'over quota, the time to wait is reported', unless: reasonWithoutFault(carrier, rig, 'rate_limited'), run: tellsQuota },
  ...unknownOutcomeFaults.map(([fault, taken]) => ({
    name: `exactly one parcel exists after: ${faultName(fault)}`,
    unless: reasonWithoutFault(carrier, rig, fault),
    run: (bench: Bench) => isSentOnce(bench, fault, taken),
  })),
  {
    name: 'one reference sent concurrently is one parcel',
    unless: carrier.exactlyOnce !== 'idempotencyKey' && 'repeating is not safe at this carrier',
    run: repeatsSafely,
  },
  {
    name: 'a reference that was never sent is not found',
    unless: !carrier.findByReference && 'it does not look up by reference',
    run: async ({ carrier, rig, sent }) => {
      const one = await sent()
      const other = await sent({}, one.desk)
      const look = async (reference: string) => (await carrier.findByReference!(one.desk.context, reference))?.trackingId ?? null
      assertEqual(await look(rig.shipment().reference), null, 'look-up of an unknown reference')
      assertEqual(await look(one.shipment.reference), one.sent.trackingId, 'look-up of the first')
      assertEqual(await look(other.shipment.reference), other.sent.trackingId, 'look-up of the second')
    },
  },
  {
    name: 'several parcels are sent, each with its own outcome',
    unless: !carrier.sendMany && 'it sends one by one',
    run: sendsMany,
  },
  {
    name: 'several parcels whose answer is lost have an unknown outcome',
    unless: (!carrier.sendMany && 'it sends one by one') || reasonWithoutFault(carrier, rig, 'lost_answer'),
    run: async ({ carrier, rig, open }) => {
      const { context } = await warmUp(carrier, rig, open())
      await expectFailure(carrier.sendMany!(context, [shipmentWithFault(rig, 'lost_answer')]), ['unavailable'], 'sendMany')
    },
  },
  { name: 'a parcel can be edited until it is on its way', unless: !carrier.edit && 'it takes no edits', run: isEdited },
  {
    name: 'a parcel can be cancelled until it is on its way',
    unless: !carrier.cancel && 'it has no cancellation',
    run: isCancelled,
  },
  {
    name: 'a parcel is validated',
    unless: !carrier.validate && 'it has no drafts',
    run: async ({ carrier, sent }) => {
      const one = await sent()
      await carrier.validate!(one.desk.context, one.sent.trackingId)
    },
  },
]

async function isSent({ carrier, rig, sent }: Bench): Promise<void> {
  const codAmount = 12_345
  const one = await sent({ codAmount })
  assertFits(Sent, one.sent, 'answer')
  assertEqual(await rig.parcelsOf(one.desk, one.shipment.reference), [one.sent.trackingId], 'parcels at the carrier')
  if (carrier.track) showsAmount(await carrier.track(one.desk.context, [one.sent.trackingId]), codAmount)
  const other = await sent({}, one.desk)
  assertUnique([one.sent.trackingId, other.sent.trackingId], 'tracking numbers')
}

/** Checks the amount to collect, if the carrier shows it. */
function showsAmount([parcel]: readonly CarrierParcel[], codAmount: number): void {
  check(parcel, 'the parcel is tracked')
  if (parcel.codAmount !== undefined) assertEqual(parcel.codAmount, codAmount, 'amount to collect')
}

async function keepsFractions({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  const codAmount = 1234.56
  const shipment = rig.shipment({ codAmount })
  const attempt = Promise.resolve(carrier.send(context, shipment))
  const sent = await attempt.catch(() => undefined)
  if (!sent) return void (await expectFailure(attempt, ['refused'], 'a fraction'))
  assertEqual(majorOf((await findRecordedParcel({ rig }, shipment.reference)).cod), codAmount, 'amount at the carrier')
  if (carrier.track) showsAmount(await carrier.track(context, [sent.trackingId]), codAmount)
}

async function refusesTooMuch({ carrier, rig, open, sent }: Bench): Promise<void> {
  const most = await sent({ codAmount: carrier.codMax! })
  assertEqual(
    majorOf((await findRecordedParcel({ rig }, most.shipment.reference)).cod),
    carrier.codMax,
    'the largest amount at the carrier',
  )
  const desk = open()
  const shipment = rig.shipment({ codAmount: carrier.codMax! + 1 })
  await expectFailure(carrier.send(desk.context, shipment), ['refused'], 'an amount over the limit')
  assertEqual(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

async function tellsRefusal({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const shipment = requireMember(rig.refusable, 'refusable')()
  await expectFailure(carrier.send(desk.context, shipment), ['refused'], 'send')
  assertEqual(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

const callsTo = async (rig: Rig, pattern: string) =>
  (await requireMember(rig.seen, 'seen')('')).calls.filter((call) => new RegExp(pattern).test(callName(call))).length

async function tellsQuota({ carrier, rig, open }: Bench): Promise<void> {
  const desk = await warmUp(carrier, rig, open())
  const shipment = shipmentWithFault(rig, 'rate_limited')
  const creations = async () => callsTo(rig, requireMember(rig.steps?.create, 'steps.create'))
  const before = await creations()
  const { upstream } = await expectFailure(carrier.send(desk.context, shipment), ['rate_limited'], 'send')
  check((upstream.retryAfterSeconds ?? 0) > 0, 'Retry-After is passed on')
  assertEqual((await creations()) - before, 1, 'calls, including the refused one')
  assertEqual(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

async function isSentOnce({ carrier, rig, open }: Bench, fault: Fault, taken: number): Promise<void> {
  const { context: first } = await warmUp(carrier, rig, open())
  const isSilent = silentFaults.includes(fault)
  const desk = open({ storage: first.storage, ...(isSilent && { deadlineMs }) })
  const shipment = shipmentWithFault(rig, fault)
  const began = Date.now()
  await expectFailure(carrier.send(desk.context, shipment), ['unavailable'], 'send')
  check(!isSilent || Date.now() - began < deadlineMs + slackMs, 'it ends at its deadline')
  rig.calm()
  const later = open({ storage: first.storage })
  assertEqual((await rig.parcelsOf(later, shipment.reference)).length, taken, 'parcels taken')
  if (carrier.exactlyOnce === 'unsafe') return
  const settled = await resolveOutcome(carrier, later, shipment)
  assertEqual(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels at the end')
}

async function repeatsSafely({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const shipment = rig.shipment()
  const answers = await Promise.all(Array.from({ length: 5 }, () => carrier.send(desk.context, shipment)))
  const trackingIds = new Set(answers.map(({ trackingId }) => trackingId))
  assertEqual(await rig.parcelsOf(desk, shipment.reference), [...trackingIds], 'parcels at the carrier')
}

async function sendsMany({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const good = [rig.shipment(), rig.shipment()]
  const bad = [requireMember(rig.refusable, 'refusable')()]
  const rows = await carrier.sendMany!(desk.context, [good[0]!, ...bad, good[1]!])
  for (const row of rows) assertFits(SentRow, row, 'row')
  for (const { reference } of good) {
    const row = rows.find((row) => row.reference === reference)
    assertEqual(await rig.parcelsOf(desk, reference), [row?.sent?.trackingId], `parcels of ${reference}`)
  }
  for (const { reference } of bad) {
    check(rows.find((row) => row.reference === reference)?.refused?.message, 'a refused row has a message')
    assertEqual(await rig.parcelsOf(desk, reference), [], 'parcels of the refused row')
  }
  assertEqual(rows.length, good.length + bad.length, 'rows')
}

async function isEdited({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent({ codAmount: 1000 })
  const { context } = one.desk
  const recipient = { name: 'Amina Test', phone: '+213661000000' }
  const change = editableOf(carrier, { codAmount: 1500, recipient, contents: 'a hat', notes: 'ring twice' })
  await carrier.edit!(context, one.sent.trackingId, change)
  if (carrier.track) showsAmount(await carrier.track(context, [one.sent.trackingId]), change.codAmount ?? 1000)
  await rig.advance(one.desk, one.sent.trackingId, rig.raw.moving)
  await expectFailure(carrier.edit!(context, one.sent.trackingId, change), ['refused'], 'edit on its way')
  await expectFailure(carrier.edit!(context, 'no-such-parcel', change), ['refused', 'not_found'], 'edit of an unknown parcel')
}

async function isCancelled({ carrier, rig, sent }: Bench): Promise<void> {
  const dropped = await sent()
  const { context } = dropped.desk
  await carrier.cancel!(context, dropped.sent.trackingId)
  const moving = await sent({}, dropped.desk)
  await rig.advance(dropped.desk, moving.sent.trackingId, rig.raw.moving)
  await expectFailure(carrier.cancel!(context, moving.sent.trackingId), ['refused'], 'cancel on its way')
  assertEqual(await rig.parcelsOf(dropped.desk, moving.shipment.reference), [moving.sent.trackingId], 'parcels still there')
  await expectFailure(carrier.cancel!(context, 'no-such-parcel'), ['refused', 'not_found'], 'cancel of an unknown parcel')
}
