import type { Draft } from '../acceptance.ts'
import type { Carrier, Shipment } from '../contract.ts'
import { Sent, SentRow } from '../model.ts'
import { type Bench, check, fails, fits, same, unique } from './bench.ts'
import type { Desk, Fault, Rig } from './rig.ts'

/** For what never answers; everything else has the usual time, so that a slow machine fails nobody. */
const deadlineMs = 400
const silent: readonly Fault[] = ['ignored', 'no_answer']
const slackMs = 1_500

// What leaves nobody knowing, and how many parcels the carrier then has.
const unknown: readonly (readonly [Fault, number])[] = [
  ['ignored', 0],
  ['error_before', 0],
  ['no_answer', 1],
  ['lost_answer', 1],
  ['error_after', 1],
  ['malformed', 1],
]

export const sendingCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'a parcel is sent', run: isSent },
  { name: 'an amount with a fraction is kept or refused', run: keepsFractions },
  { name: 'an amount over the limit is refused', unless: !carrier.codMax && 'it has no limit', run: refusesTooMuch },
  {
    name: 'a refusal is told and leaves nothing',
    unless: !rig.refusable && 'its other side refuses nothing',
    run: tellsRefusal,
  },
  { name: 'over quota it says when to come again', unless: lacks(rig, 'rate_limited'), run: tellsQuota },
  ...unknown.map(([fault, taken]) => ({
    name: `exactly one parcel after: ${fault.replace('_', ' ')}`,
    unless: lacks(rig, fault),
    run: (bench: Bench) => isSentOnce(bench, fault, taken),
  })),
  {
    name: 'one reference sent twice at once is one parcel',
    unless: carrier.exactlyOnce !== 'idempotencyKey' && 'repeating is not safe at this carrier',
    run: repeatsSafely,
  },
  {
    name: 'a reference that was never sent is not found',
    unless: !carrier.findByReference && 'it does not look up by reference',
    run: async ({ carrier, rig, open }) => {
      same(await carrier.findByReference!(open().context, rig.shipment().reference), null, 'look-up')
    },
  },
  {
    name: 'several are sent, each with its own outcome',
    unless: !carrier.sendMany && 'it sends one by one',
    run: sendsMany,
  },
  {
    name: 'several whose answer is lost have an unknown outcome',
    unless: (!carrier.sendMany && 'it sends one by one') || lacks(rig, 'lost_answer'),
    run: async ({ carrier, rig, open }) => {
      const { context } = await readied(carrier, rig, open())
      await fails(carrier.sendMany!(context, [rig.faults.lost_answer!(rig.shipment())]), ['unavailable'], 'sendMany')
    },
  },
  { name: 'a parcel is edited until it is on its way', unless: !carrier.edit && 'it takes no edits', run: isEdited },
  {
    name: 'a parcel is cancelled until it is on its way',
    unless: !carrier.cancel && 'it cancels nothing',
    run: isCancelled,
  },
  {
    name: 'a parcel is validated',
    unless: !carrier.validate && 'it knows no drafts',
    run: async ({ carrier, sent }) => {
      const one = await sent()
      await carrier.validate!(one.desk.context, one.sent.trackingId)
    },
  },
]

const lacks = (rig: Rig, fault: Fault) => !rig.faults[fault] && 'its other side cannot be made to do that'

/** Sends one parcel well, so that what is asked for once (places) does not meet the fault. */
async function readied(carrier: Carrier, rig: Rig, desk: Desk): Promise<Desk> {
  await carrier.send(desk.context, rig.shipment())
  return desk
}

async function isSent({ carrier, rig, sent }: Bench): Promise<void> {
  const codAmount = 12_345
  const one = await sent({ codAmount })
  fits(Sent, one.sent, 'answer')
  same(await rig.parcelsOf(one.desk, one.shipment.reference), [one.sent.trackingId], 'parcels at the carrier')
  if (carrier.track) same((await carrier.track(one.desk.context, [one.sent.trackingId]))[0]?.codAmount, codAmount, 'amount to collect')
  const other = await sent({}, one.desk)
  unique([one.sent.trackingId, other.sent.trackingId], 'tracking numbers')
}

async function keepsFractions({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  const codAmount = 1234.56
  const attempt = Promise.resolve(carrier.send(context, rig.shipment({ codAmount })))
  const sent = await attempt.catch(() => undefined)
  if (!sent) return void (await fails(attempt, ['refused'], 'a fraction'))
  if (carrier.track) same((await carrier.track(context, [sent.trackingId]))[0]?.codAmount, codAmount, 'amount to collect')
}

async function refusesTooMuch({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const shipment = rig.shipment({ codAmount: carrier.codMax! + 1 })
  await fails(carrier.send(desk.context, shipment), ['refused'], 'too much')
  same(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

async function tellsRefusal({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const shipment = rig.refusable!()
  await fails(carrier.send(desk.context, shipment), ['refused'], 'send')
  same(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

async function tellsQuota({ carrier, rig, open }: Bench): Promise<void> {
  const desk = await readied(carrier, rig, open())
  const shipment = rig.faults.rate_limited!(rig.shipment())
  const { upstream } = await fails(carrier.send(desk.context, shipment), ['rate_limited'], 'send')
  check((upstream.retryAfterSeconds ?? 0) > 0, 'Retry-After is passed on')
  same(await rig.parcelsOf(desk, shipment.reference), [], 'parcels at the carrier')
}

async function isSentOnce({ carrier, rig, open }: Bench, fault: Fault, taken: number): Promise<void> {
  const { context: first } = await readied(carrier, rig, open())
  const isSilent = silent.includes(fault)
  const desk = open({ memory: first.memory, ...(isSilent && { deadlineMs }) })
  const shipment = rig.faults[fault]!(rig.shipment())
  const began = Date.now()
  await fails(carrier.send(desk.context, shipment), ['unavailable'], 'send')
  check(!isSilent || Date.now() - began < deadlineMs + slackMs, 'it ends at its deadline')
  rig.calm()
  const later = open({ memory: first.memory })
  same((await rig.parcelsOf(later, shipment.reference)).length, taken, 'parcels taken')
  if (carrier.exactlyOnce === 'unsafe') return
  const settled = await settle(carrier, later, shipment)
  same(await rig.parcelsOf(later, shipment.reference), [settled], 'parcels in the end')
}

/** What the core does about an unknown outcome. */
async function settle(carrier: Carrier, { context }: Desk, shipment: Shipment): Promise<string> {
  const found = await carrier.findByReference?.(context, shipment.reference)
  if (found) fits(Sent, found, 'look-up')
  return (found ?? (await carrier.send(context, shipment))).trackingId
}

async function repeatsSafely({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const shipment = rig.shipment()
  const answers = await Promise.all(Array.from({ length: 5 }, () => carrier.send(desk.context, shipment)))
  const trackingIds = new Set(answers.map(({ trackingId }) => trackingId))
  same(await rig.parcelsOf(desk, shipment.reference), [...trackingIds], 'parcels at the carrier')
}

async function sendsMany({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const good = [rig.shipment(), rig.shipment()]
  const bad = rig.refusable ? [rig.refusable()] : []
  const rows = await carrier.sendMany!(desk.context, [good[0]!, ...bad, good[1]!])
  for (const row of rows) fits(SentRow, row, 'row')
  for (const { reference } of good) {
    const row = rows.find((row) => row.reference === reference)
    same(await rig.parcelsOf(desk, reference), [row?.sent?.trackingId], `parcels of ${reference}`)
  }
  for (const { reference } of bad) {
    check(rows.find((row) => row.reference === reference)?.refused?.message, 'a refused row says why')
    same(await rig.parcelsOf(desk, reference), [], 'parcels of the refused row')
  }
  same(rows.length, good.length + bad.length, 'rows')
}

async function isEdited({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent({ codAmount: 1000 })
  const { context } = one.desk
  await carrier.edit!(context, one.sent.trackingId, {
    codAmount: 1500,
    recipient: { name: 'Amina Test', phone: '+213661000000' },
  })
  if (carrier.track) same((await carrier.track(context, [one.sent.trackingId]))[0]?.codAmount, 1500, 'amount to collect')
  await rig.advance(one.desk, one.sent.trackingId, rig.raw.moving)
  await fails(carrier.edit!(context, one.sent.trackingId, { codAmount: 1 }), ['refused'], 'edit on its way')
  await fails(carrier.edit!(context, 'no-such-parcel', { codAmount: 1 }), ['refused', 'not_found'], 'edit of nothing')
}

async function isCancelled({ carrier, rig, sent }: Bench): Promise<void> {
  const dropped = await sent()
  const { context } = dropped.desk
  await carrier.cancel!(context, dropped.sent.trackingId)
  const moving = await sent({}, dropped.desk)
  await rig.advance(dropped.desk, moving.sent.trackingId, rig.raw.moving)
  await fails(carrier.cancel!(context, moving.sent.trackingId), ['refused'], 'cancel on its way')
  same(await rig.parcelsOf(dropped.desk, moving.shipment.reference), [moving.sent.trackingId], 'parcels still there')
  await fails(carrier.cancel!(context, 'no-such-parcel'), ['refused', 'not_found'], 'cancel of nothing')
}
