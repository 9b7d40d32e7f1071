import { assertEqual, assertFits, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { CashBatch, CashBatchDetail, CashLine } from '../cash.model.ts'
import type { Carrier } from '../contract.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import { majorOf } from './seen.ts'

const none = 'it reports no money'
const codAmounts = [2_500, 4_999]

/** Cases about collected cash and payouts. */
export const moneyCases = (carrier: Carrier): Draft[] => [
  {
    name: 'collected cash is listed before its payout',
    unless: !carrier.cash?.preview && 'it reports money only once it is paid out',
    run: isPreviewed,
  },
  {
    name: 'a payout has its parcels and totals',
    unless: !carrier.cash && none,
    run: addsUp,
  },
  {
    name: 'an unknown payout is not found',
    unless: !carrier.cash && none,
    run: ({ carrier, open }) => expectFailure(carrier.cash!.batch(open().context, 'no-such-payout'), ['not_found'], 'batch').then(() => {}),
  },
  {
    name: 'a payout is confirmed',
    unless: !carrier.cash?.confirm && 'payouts are confirmed by hand',
    run: isConfirmed,
  },
]

interface Delivered {
  readonly desk: Desk
  readonly trackingIds: string[]
  /** Fees that the carrier deducts for each parcel, as the simulator recorded them. */
  readonly fees: (number | null)[]
}

async function deliver({ rig, sent, open }: Bench): Promise<Delivered> {
  const desk = open()
  const trackingIds: string[] = []
  const fees: (number | null)[] = []
  for (const codAmount of codAmounts) {
    const one = await sent({ codAmount }, desk)
    await rig.advance(desk, one.sent.trackingId, rig.raw.delivered)
    const { keptFee } = await findRecordedParcel({ rig }, one.shipment.reference)
    trackingIds.push(one.sent.trackingId)
    fees.push(keptFee && majorOf(keptFee))
  }
  return { desk, trackingIds, fees }
}

interface Told {
  readonly amount?: number | undefined
  readonly fee?: number | undefined
  readonly net?: number | undefined
}

const SLACK_MS = 600_000
const centimes = (dinars: number) => Math.round(dinars * 100)
const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + centimes(part), 0) / 100

/** Checks that reported amounts are the collected amount, the fee and the rest. At least the amount or the rest must be reported. */
function isMoneyOf(told: Told | undefined, amount: number, fee: number | null): void {
  check(told && (told.amount ?? told.net) !== undefined, `amount or net is reported, instead of ${JSON.stringify(told)}`)
  if (told.amount !== undefined) assertEqual(told.amount, amount, 'amount collected')
  if (told.fee !== undefined) assertEqual(told.fee, fee, 'fee deducted')
  if (told.net !== undefined) assertEqual(centimes(told.net), centimes(amount) - centimes(fee ?? 0), 'net amount')
}

async function isPreviewed(bench: Bench): Promise<void> {
  const { desk, trackingIds, fees } = await deliver(bench)
  const waiting = await bench.sent({ codAmount: 7_777 }, desk)
  const lines = await bench.carrier.cash!.preview!(desk.context)
  for (const line of lines) {
    assertFits(CashLine, line, 'line')
    check(['collected', 'payout_ready'].includes(line.status), `${line.trackingId} is not paid out, so it is not ${line.status}`)
  }
  const ours = trackingIds.map((trackingId) => lines.find((line) => line.trackingId === trackingId))
  for (const [at, line] of ours.entries()) isMoneyOf(line, codAmounts[at]!, fees[at]!)
  for (const [at, trackingId] of trackingIds.entries()) {
    const [parcel] = (await bench.carrier.track?.(desk.context, [trackingId])) ?? []
    const { amount = codAmounts[at], fee } = parcel?.cash ?? {}
    isMoneyOf({ amount, fee }, codAmounts[at]!, fees[at]!)
  }
  check(!lines.some(({ trackingId }) => trackingId === waiting.sent.trackingId), 'an undelivered parcel is not listed')
}

async function paid(bench: Bench): Promise<Delivered & { readonly payoutId: string }> {
  const delivered = await deliver(bench)
  const { desk, trackingIds } = delivered
  const payoutId = `pmt-${crypto.randomUUID().slice(0, 8)}`
  for (const trackingId of trackingIds) await requireMember(bench.rig.pay, 'pay')(desk, trackingId, payoutId)
  return { ...delivered, payoutId }
}

async function addsUp(bench: Bench): Promise<void> {
  const { desk, trackingIds, fees, payoutId } = await paid(bench)
  const cash = bench.carrier.cash!
  const found = (await cash.batches(desk.context)).find(({ id }) => id === payoutId)
  assertFits(CashBatch, found, 'batch')
  const detail = await cash.batch(desk.context, payoutId)
  assertFits(CashBatchDetail, detail, 'batch with its lines')
  assertEqual(detail.lines.map(({ trackingId }) => trackingId).sort(), [...trackingIds].sort(), 'parcels')
  const ours = trackingIds.map((trackingId) => detail.lines.find((line) => line.trackingId === trackingId))
  for (const [at, line] of ours.entries()) isMoneyOf(line, codAmounts[at]!, fees[at]!)
  isMoneyOf({ ...detail, fee: undefined }, sumOf(codAmounts), fees.includes(null) ? null : sumOf(fees.map(Number)))
  check(!detail.at || Math.abs(Date.parse(detail.at) - Date.now()) < SLACK_MS, `it was paid out just now, not at ${detail.at}`)
  assertEqual(
    [found?.amount, found?.net, found?.parcels],
    [detail.amount, detail.net, detail.lines.length],
    'amounts and count in the list',
  )
  const open = (await cash.preview?.(desk.context)) ?? []
  assertEqual(
    open.filter(({ trackingId }) => trackingIds.includes(trackingId)),
    [],
    'paid parcels that are still listed as collected',
  )
}

async function isConfirmed(bench: Bench): Promise<void> {
  const { desk, payoutId } = await paid(bench)
  const cash = bench.carrier.cash!
  check((await cash.batch(desk.context, payoutId)).status !== 'payout_confirmed', 'nobody confirmed it yet')
  const confirmed = await cash.confirm!(desk.context, payoutId)
  assertFits(CashBatch, confirmed, 'batch')
  assertEqual(confirmed.status, 'payout_confirmed', 'status')
  assertEqual((await cash.batch(desk.context, payoutId)).status, 'payout_confirmed', 'status read again')
}
