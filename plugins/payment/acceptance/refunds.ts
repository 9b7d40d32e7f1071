import { assertEqual, assertFits, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { type RefundAsked, Refunded } from '../model.ts'
import { type Bench, type CreatedCheckout, readCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { applyFault, faultCases, hasCalls, NO_CALLS } from './faults.ts'
import type { Fault, Rig } from './rig.ts'

const none = 'its refunds are only possible in its dashboard'
const part = 40_000
const doneUnseen: readonly Fault[] = ['lost_answer', 'error_after', 'malformed', 'mumbled']

/** Cases about refunds. */
export const refundCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.refund && none
  const partly = unless || (!gateway.refunds?.partial && 'it has no partial refunds')
  const later =
    unless ||
    (!hasCalls(gateway) && NO_CALLS) ||
    rig.lacks?.['refund.pending'] ||
    (gateway.refunds?.exactlyOnce !== 'idempotencyKey' && 'a repeated request may refund again')
  const once = unless || (gateway.refunds?.exactlyOnce !== 'idempotencyKey' && 'a repeated request may refund again')
  return [
    { name: 'a full refund returns the amount paid', unless, run: refundsAll },
    { name: 'two partial refunds return the amount paid', unless: partly, run: refundsParts },
    { name: 'refunds cannot exceed the amount paid', unless: partly, run: refundsNoMore },
    { name: 'an unpaid checkout cannot be refunded', unless, run: refundsNothing },
    { name: 'a waiting refund is pending, then done', unless: later, run: refundsLater },
    { name: 'a waiting refund that fails is reported as failed, and returns nothing', unless: later, run: failsLater },
    { name: 'a repeated refund is made once', unless: once, run: refundsOnce },
    { name: 'a refund requested concurrently is made once', unless: once, run: refundsOnceConcurrently },
    { name: 'two refunds of the same amount are both made', unless: once || partly, run: refundsEach },
    ...doneUnseen.map((fault) => ({
      name: `a refund is made once after: ${fault.replace('_', ' ')}`,
      unless: (!hasCalls(gateway) && NO_CALLS) || once,
      run: (bench: Bench) => refundsOnceAfter(bench, fault),
    })),
    ...faultCases(gateway, {
      member: 'refund',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        return (deadlineMs) => {
          const { context } = deadlineMs === undefined ? one.desk : bench.open({ storage: one.desk.context.storage, deadlineMs })
          return bench.gateway.refund?.(context, refundOf(one))
        }
      },
    }),
  ]
}

function refundOf({ asked, made }: CreatedCheckout, change: Partial<RefundAsked> = {}): RefundAsked {
  const { amount, currency } = asked
  const refundId = `rfd_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  return { externalId: made.externalId, refundId, amount, whole: change.amount === undefined, currency, reason: 'sent back', ...change }
}

async function refund(bench: Bench, { desk }: CreatedCheckout, asked: RefundAsked): Promise<Refunded> {
  const answer = await bench.gateway.refund?.(desk.context, asked)
  assertFits(Refunded, answer, 'refund')
  check(answer && answer.status !== 'failed', 'it is done or pending')
  return answer
}

const refundsIn = async (bench: Bench, one: CreatedCheckout) =>
  (await bench.rig.seen(one.asked.paymentId)).refunds.filter(({ externalId }) => externalId === one.made.externalId)

/** Makes a refund and brings it to its end. Checks that it is not reported as done while the gateway has it as pending. */
async function refundToEnd(bench: Bench, one: CreatedCheckout, asked: RefundAsked): Promise<Refunded> {
  const answer = await refund(bench, one, asked)
  const waits = (await refundsIn(bench, one)).some(({ status }) => status === 'pending')
  if (answer.status === 'done') {
    check(!waits, 'a refund that is pending at the gateway is reported as pending')
    return answer
  }
  if (bench.rig.moveRefund && waits) await bench.rig.moveRefund(one.desk, answer.externalId, 'done')
  return answer
}

async function refundsLater(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  requireMember(bench.rig.delayRefunds, 'delayRefunds')()
  const first = await refund(bench, one, asked)
  assertEqual(first.status, 'pending', 'status of a waiting refund')
  assertEqual((await refund(bench, one, asked)).status, 'pending', 'status of the repeated request')
  assertEqual((await readCheckout(bench, one)).refunded ?? 0, 0, 'refunded amount while it waits')
  await requireMember(bench.rig.moveRefund, 'moveRefund')(one.desk, first.externalId, 'done')
  const last = await refund(bench, one, asked)
  assertEqual([last.status, last.externalId], ['done', first.externalId], 'status and id once it is done')
  await assertRefunded(bench, one, [one.asked.amount])
}

async function failsLater(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  requireMember(bench.rig.delayRefunds, 'delayRefunds')()
  const first = await refund(bench, one, asked)
  await requireMember(bench.rig.moveRefund, 'moveRefund')(one.desk, first.externalId, 'failed')
  const answer = await bench.gateway.refund?.(one.desk.context, asked)
  assertEqual(answer?.status, 'failed', 'status of a failed refund')
  assertEqual((await readCheckout(bench, one)).refunded ?? 0, 0, 'refunded amount')
}

/** Checks the refunds at the gateway, and the refunded amount that is read. */
async function assertRefunded(bench: Bench, one: CreatedCheckout, amounts: readonly number[]): Promise<void> {
  const refunds = (await refundsIn(bench, one)).filter(({ status }) => status !== 'failed')
  assertEqual(
    refunds.map(({ amount, currency }) => [amount, currency]).sort(),
    amounts.map((amount) => [amount, one.asked.currency]).sort(),
    'refunds at the gateway',
  )
  const { refunded, amount } = await readCheckout(bench, one)
  assertEqual(
    refunded ?? 'nothing',
    amounts.reduce((sum, each) => sum + each, 0),
    'refunded amount',
  )
  assertEqual(amount, one.asked.amount, 'amount paid')
}

async function refundsAll(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await refundToEnd(bench, one, refundOf(one))
  await assertRefunded(bench, one, [one.asked.amount])
}

async function refundsParts(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const rest = one.asked.amount - part
  const ids: string[] = []
  for (const amount of [part, rest]) ids.push((await refundToEnd(bench, one, refundOf(one, { amount }))).externalId)
  check(ids[0] !== ids[1], 'each refund has its own id')
  await assertRefunded(bench, one, [part, rest])
}

async function refundsNoMore(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await refundToEnd(bench, one, refundOf(one, { amount: part }))
  const more = refundOf(one, { amount: one.asked.amount - part + 1 })
  await expectFailure(bench.gateway.refund?.(one.desk.context, more), ['refused'], 'a refund of more than the rest')
  await assertRefunded(bench, one, [part])
}

async function refundsNothing(bench: Bench): Promise<void> {
  const one = await bench.make()
  await expectFailure(bench.gateway.refund?.(one.desk.context, refundOf(one)), ['refused', 'not_found'], 'refund of an unpaid checkout')
  const nothing = refundOf(one, { externalId: 'no-such-checkout' })
  await expectFailure(bench.gateway.refund?.(one.desk.context, nothing), ['not_found', 'refused'], 'refund of an unknown checkout')
  assertEqual((await bench.rig.seen(one.asked.paymentId)).refunds, [], 'refunds at the gateway')
}

async function refundsOnce(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  const first = await refundToEnd(bench, one, asked)
  assertEqual((await refundToEnd(bench, one, asked)).externalId, first.externalId, "the gateway's id of the refund")
  await assertRefunded(bench, one, [one.asked.amount])
}

async function refundsOnceConcurrently(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one, bench.gateway.refunds?.partial ? { amount: part } : {})
  await Promise.all([1, 2, 3].map(() => refundToEnd(bench, one, asked)))
  await assertRefunded(bench, one, [asked.amount])
}

async function refundsEach(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  for (let count = 0; count < 2; count += 1) await refundToEnd(bench, one, refundOf(one, { amount: part }))
  await assertRefunded(bench, one, [part, part])
}

async function refundsOnceAfter(bench: Bench, fault: Fault): Promise<void> {
  const one = await bench.makeSo('paid')
  const asked = refundOf(one)
  applyFault(bench.rig, fault, 'refund')
  await expectFailure(bench.gateway.refund?.(one.desk.context, asked), ['unavailable'], 'refund')
  bench.rig.calm()
  await refundToEnd(bench, one, asked)
  await assertRefunded(bench, one, [one.asked.amount])
}
