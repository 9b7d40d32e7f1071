import { check, fails, fits, needed, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { type RefundAsked, Refunded } from '../model.ts'
import { type Bench, type Made, readOne } from './bench.ts'
import type { Draft } from './draft.ts'
import { callsSomebody, faultCases, noWire, provoke } from './faults.ts'
import type { Fault, Rig } from './rig.ts'

const none = 'it gives money back by hand only'
const part = 40_000
const doneUnseen: readonly Fault[] = ['lost_answer', 'error_after', 'malformed', 'mumbled']

export const refundCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.refund && none
  const partly = unless || (!gateway.refunds?.partial && 'it gives back all or nothing')
  const later =
    unless ||
    (!callsSomebody(gateway) && noWire) ||
    rig.lacks?.['refund.pending'] ||
    (gateway.refunds?.exactlyOnce !== 'idempotencyKey' && 'asked again it may give back again')
  const once = unless || (gateway.refunds?.exactlyOnce !== 'idempotencyKey' && 'asked again it may give back again')
  return [
    { name: 'all that was paid is given back', unless, run: givesAll },
    { name: 'a part of what was paid is given back, then the rest', unless: partly, run: givesParts },
    { name: 'no more is given back than was paid', unless: partly, run: givesNoMore },
    { name: 'what nobody paid is not given back', unless, run: givesNothing },
    { name: 'a refund that waits is pending, and done when it is done', unless: later, run: givesLater },
    { name: 'a refund that waits and fails is told as failed, and gives nothing back', unless: later, run: failsLater },
    { name: 'a refund asked for again is given once', unless: once, run: givesOnce },
    { name: 'a refund asked for many times at once is given once', unless: once, run: givesOnceAtOnce },
    { name: 'refunds of the same amount are each given', unless: once || partly, run: givesEach },
    ...doneUnseen.map((fault) => ({
      name: `a refund is given once after: ${fault.replace('_', ' ')}`,
      unless: (!callsSomebody(gateway) && noWire) || once,
      run: (bench: Bench) => isSettled(bench, fault),
    })),
    ...faultCases(gateway, {
      member: 'refund',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        return (deadlineMs) => {
          const { context } = deadlineMs === undefined ? one.desk : bench.open({ memory: one.desk.context.memory, deadlineMs })
          return bench.gateway.refund?.(context, refundOf(one))
        }
      },
    }),
  ]
}

function refundOf({ asked, made }: Made, change: Partial<RefundAsked> = {}): RefundAsked {
  const { amount, currency } = asked
  const refundId = `rfd_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  return { externalId: made.externalId, refundId, amount, whole: change.amount === undefined, currency, reason: 'sent back', ...change }
}

async function give(bench: Bench, { desk }: Made, asked: RefundAsked): Promise<Refunded> {
  const answer = await bench.gateway.refund?.(desk.context, asked)
  fits(Refunded, answer, 'refund')
  check(answer && answer.status !== 'failed', 'it is given, or on its way')
  return answer
}

const refundsIn = async (bench: Bench, one: Made) =>
  (await bench.rig.seen(one.asked.paymentId)).refunds.filter(({ externalId }) => externalId === one.made.externalId)

/** Nothing is told as done that the books say is on its way. A rig whose refunds always wait moves them. */
async function giveSettled(bench: Bench, one: Made, asked: RefundAsked): Promise<Refunded> {
  const answer = await give(bench, one, asked)
  const waits = (await refundsIn(bench, one)).some(({ status }) => status === 'pending')
  if (answer.status === 'done') {
    check(!waits, 'a refund that waits in the books is told as pending')
    return answer
  }
  if (bench.rig.moveRefund && waits) await bench.rig.moveRefund(one.desk, answer.externalId, 'done')
  return answer
}

async function givesLater(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  needed(bench.rig.delayRefunds, 'delayRefunds')()
  const first = await give(bench, one, asked)
  same(first.status, 'pending', 'status of a refund that waits')
  same((await give(bench, one, asked)).status, 'pending', 'its status when it is asked for again')
  same((await readOne(bench, one)).refunded ?? 0, 0, 'what is told to be given back while it waits')
  await needed(bench.rig.moveRefund, 'moveRefund')(one.desk, first.externalId, 'done')
  const last = await give(bench, one, asked)
  same([last.status, last.externalId], ['done', first.externalId], 'status and name once it is done')
  await isGiven(bench, one, [one.asked.amount])
}

async function failsLater(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  needed(bench.rig.delayRefunds, 'delayRefunds')()
  const first = await give(bench, one, asked)
  await needed(bench.rig.moveRefund, 'moveRefund')(one.desk, first.externalId, 'failed')
  const answer = await bench.gateway.refund?.(one.desk.context, asked)
  same(answer?.status, 'failed', 'status of a refund that failed')
  same((await readOne(bench, one)).refunded ?? 0, 0, 'what is told to be given back')
}

/** What was given back in all, by the books and by what is read. */
async function isGiven(bench: Bench, one: Made, amounts: readonly number[]): Promise<void> {
  const refunds = (await refundsIn(bench, one)).filter(({ status }) => status !== 'failed')
  same(
    refunds.map(({ amount, currency }) => [amount, currency]).sort(),
    amounts.map((amount) => [amount, one.asked.currency]).sort(),
    'refunds in the books',
  )
  const { refunded, amount } = await readOne(bench, one)
  same(
    refunded ?? 'nothing',
    amounts.reduce((sum, each) => sum + each, 0),
    'what is told to be given back',
  )
  same(amount, one.asked.amount, 'what was paid')
}

async function givesAll(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await giveSettled(bench, one, refundOf(one))
  await isGiven(bench, one, [one.asked.amount])
}

async function givesParts(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const rest = one.asked.amount - part
  const ids: string[] = []
  for (const amount of [part, rest]) ids.push((await giveSettled(bench, one, refundOf(one, { amount }))).externalId)
  check(ids[0] !== ids[1], 'each refund has a name of its own')
  await isGiven(bench, one, [part, rest])
}

async function givesNoMore(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await giveSettled(bench, one, refundOf(one, { amount: part }))
  const more = refundOf(one, { amount: one.asked.amount - part + 1 })
  await fails(bench.gateway.refund?.(one.desk.context, more), ['refused'], 'more than is left')
  await isGiven(bench, one, [part])
}

async function givesNothing(bench: Bench): Promise<void> {
  const one = await bench.make()
  await fails(bench.gateway.refund?.(one.desk.context, refundOf(one)), ['refused', 'not_found'], 'refund of what nobody paid')
  const nothing = refundOf(one, { externalId: 'no-such-checkout' })
  await fails(bench.gateway.refund?.(one.desk.context, nothing), ['not_found', 'refused'], 'refund of nothing')
  same((await bench.rig.seen(one.asked.paymentId)).refunds, [], 'refunds in the books')
}

async function givesOnce(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  const first = await giveSettled(bench, one, asked)
  same((await giveSettled(bench, one, asked)).externalId, first.externalId, "the gateway's name of the refund")
  await isGiven(bench, one, [one.asked.amount])
}

async function givesOnceAtOnce(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one, bench.gateway.refunds?.partial ? { amount: part } : {})
  await Promise.all([1, 2, 3].map(() => giveSettled(bench, one, asked)))
  await isGiven(bench, one, [asked.amount])
}

async function givesEach(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  for (let count = 0; count < 2; count += 1) await giveSettled(bench, one, refundOf(one, { amount: part }))
  await isGiven(bench, one, [part, part])
}

async function isSettled(bench: Bench, fault: Fault): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  provoke(bench.rig, fault, 'refund')
  await fails(bench.gateway.refund?.(one.desk.context, asked), ['unavailable'], 'refund')
  bench.rig.calm()
  await giveSettled(bench, one, asked)
  await isGiven(bench, one, [one.asked.amount])
}
