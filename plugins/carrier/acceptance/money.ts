import type { Draft } from '../acceptance.ts'
import type { Carrier } from '../contract.ts'
import { CashBatch, CashBatchDetail, CashLine } from '../model.ts'
import { type Bench, check, fails, fits, same } from './bench.ts'
import type { Desk, Rig } from './rig.ts'

const none = 'it tells nothing of money'
const codAmounts = [2_500, 4_999]

export const moneyCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'what was collected is told', unless: !carrier.cash && none, run: isPreviewed },
  {
    name: 'a payout adds up',
    unless: (!carrier.cash && none) || (!rig.pay && 'its other side makes no payouts'),
    run: addsUp,
  },
  {
    name: 'a payout that was never made is not found',
    unless: !carrier.cash && none,
    run: ({ carrier, open }) => fails(carrier.cash!.batch(open().context, 'no-such-payout'), ['not_found'], 'batch').then(() => {}),
  },
  {
    name: 'a payout is confirmed',
    unless: (!carrier.cash?.confirm && 'payouts are confirmed by hand') || (!rig.pay && 'its other side makes no payouts'),
    run: isConfirmed,
  },
]

async function deliver({ rig, sent, open }: Bench): Promise<{ desk: Desk; trackingIds: string[] }> {
  const desk = open()
  const trackingIds: string[] = []
  for (const codAmount of codAmounts) {
    const one = await sent({ codAmount }, desk)
    await rig.advance(desk, one.sent.trackingId, rig.raw.delivered)
    trackingIds.push(one.sent.trackingId)
  }
  return { desk, trackingIds }
}

async function isPreviewed(bench: Bench): Promise<void> {
  const { desk, trackingIds } = await deliver(bench)
  const waiting = await bench.sent({ codAmount: 7_777 }, desk)
  const lines = await bench.carrier.cash!.preview(desk.context)
  for (const line of lines) fits(CashLine, line, 'line')
  const ours = trackingIds.map((trackingId) => lines.find((line) => line.trackingId === trackingId))
  same(
    ours.map((line) => line?.amount),
    codAmounts,
    'amounts collected',
  )
  check(!lines.some(({ trackingId }) => trackingId === waiting.sent.trackingId), 'what is not delivered is not collected')
}

async function paid(bench: Bench): Promise<{ desk: Desk; trackingIds: string[]; payoutId: string }> {
  const { desk, trackingIds } = await deliver(bench)
  const payoutId = `pmt-${crypto.randomUUID().slice(0, 8)}`
  for (const trackingId of trackingIds) await bench.rig.pay!(desk, trackingId, payoutId)
  return { desk, trackingIds, payoutId }
}

async function addsUp(bench: Bench): Promise<void> {
  const { desk, trackingIds, payoutId } = await paid(bench)
  const cash = bench.carrier.cash!
  const found = (await cash.batches(desk.context)).find(({ id }) => id === payoutId)
  fits(CashBatch, found, 'batch')
  const detail = await cash.batch(desk.context, payoutId)
  fits(CashBatchDetail, detail, 'batch with its lines')
  same(detail.lines.map(({ trackingId }) => trackingId).sort(), [...trackingIds].sort(), 'parcels')
  same(
    detail.amount,
    codAmounts.reduce((sum, amount) => sum + amount, 0),
    'amount',
  )
  same([found?.amount, found?.parcels], [detail.amount, detail.lines.length], 'amount and count in the list')
  const open = await cash.preview(desk.context)
  same(
    open.filter(({ trackingId }) => trackingIds.includes(trackingId)),
    [],
    'paid parcels that are still awaited',
  )
}

async function isConfirmed(bench: Bench): Promise<void> {
  const { desk, payoutId } = await paid(bench)
  const cash = bench.carrier.cash!
  const confirmed = await cash.confirm!(desk.context, payoutId)
  fits(CashBatch, confirmed, 'batch')
  same(confirmed.status, 'payout_confirmed', 'status')
  same((await cash.batch(desk.context, payoutId)).status, 'payout_confirmed', 'status read again')
}
