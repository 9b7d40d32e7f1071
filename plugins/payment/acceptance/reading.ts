import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus } from '../model.ts'
import { type Bench, type CreatedCheckout, findRecordedCheckout, readCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases, hasCalls, NO_CALLS } from './faults.ts'
import { recordResponses, replaceJson, replayResponses } from './intercept.ts'
import type { Rig } from './rig.ts'

const otherStatuses = ['processing', 'paid', 'failed', 'cancelled', 'expired'] as const satisfies readonly CheckoutStatus[]
const otherAmount = 180_000
/** Ids with a path, a query or a fragment, which would lead elsewhere if they were not encoded. */
const crooked = ['../balance', 'a/b?c=1#d', '%2e%2e%2fbalance', 'no such checkout', 'é👕']

/** Cases about reading checkouts. */
export const readingCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => [
  { name: 'an unpaid checkout is open', run: isOpen },
  ...otherStatuses.map((status) => ({
    name: `a checkout that is ${status} is read with this status`,
    unless: status !== 'paid' && rig.lacks?.[status],
    run: (bench: Bench) => isRead(bench, status),
  })),
  { name: 'a paid checkout has its amount and currency', run: readsAmount },
  { name: 'a paid checkout has its fee', unless: rig.lacks?.fee, run: readsFee },
  { name: 'a paid amount that differs from the requested one is read unchanged', unless: rig.lacks?.otherAmount, run: readsOtherAmount },
  { name: 'an unpaid checkout has no paid amount', run: readsNoAmount },
  { name: 'each of several checkouts is read with its own status', run: readsEach },
  {
    name: 'a response about another checkout is rejected',
    unless: (!hasCalls(gateway) && NO_CALLS) || rig.lacks?.otherCheckout,
    run: refusesOther,
  },
  {
    name: 'an unknown status is unavailable',
    unless: (!hasCalls(gateway) && NO_CALLS) || rig.lacks?.unknownStatus,
    run: guessesNothing,
  },
  {
    name: 'money that a bank took back is reported',
    unless: (!hasCalls(gateway) && NO_CALLS) || rig.lacks?.takenBack,
    run: readsTakenBack,
  },
  { name: 'an unknown checkout is not found', run: isNotFound },
  { name: 'an id with special characters does not change the path', run: leadsNowhere },
  ...Object.keys(rig.spellings ?? {}).map((spelling) => ({
    name: `a response with ${spelling} is read the same`,
    run: (bench: Bench) => readsSpelling(bench, spelling),
  })),
  ...faultCases(gateway, {
    member: 'read',
    prepare: async (bench) => {
      const { desk, made } = await bench.makeSo('paid')
      return (deadlineMs) => {
        const { context } = deadlineMs === undefined ? desk : bench.open({ storage: desk.context.storage, deadlineMs })
        return bench.gateway.read(context, made.externalId)
      }
    },
  }),
  ...faultCases(gateway, {
    member: 'testConnection',
    prepare:
      async ({ gateway, open }) =>
      (deadlineMs) =>
        gateway.testConnection(open(deadlineMs === undefined ? {} : { deadlineMs }).context),
    answers: false,
  }),
]

async function readWithStatus(bench: Bench, one: CreatedCheckout, status: CheckoutStatus) {
  const news = await readCheckout(bench, one)
  assertEqual(news.status, status, 'status')
  assertEqual(news.externalId ?? one.made.externalId, one.made.externalId, "the gateway's id")
  const isKept = bench.rig.lacks?.paymentId === undefined
  assertEqual(news.paymentId ?? (isKept ? 'nothing' : undefined), isKept ? one.asked.paymentId : undefined, 'our id')
  return news
}

async function isOpen(bench: Bench): Promise<void> {
  await readWithStatus(bench, await bench.make(), 'open')
}

async function isRead(bench: Bench, status: CheckoutStatus): Promise<void> {
  const one = await bench.makeSo(status)
  await readWithStatus(bench, one, status)
  const seen = await findRecordedCheckout(bench, one.asked.paymentId)
  assertEqual(seen.status, status, 'status at the gateway')
}

/** Checks the amount in the gateway's own unit against its records. */
async function readsAmount(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { paid } = await findRecordedCheckout(bench, one.asked.paymentId)
  const news = await readWithStatus(bench, one, 'paid')
  assertEqual([news.amount, news.currency], [paid, one.asked.currency], 'amount and currency')
  assertEqual(news.amount, one.asked.amount, 'requested amount')
  assertEqual(news.takenBack ?? false, false, 'takenBack')
  assertEqual(news.refunded ?? 0, 0, 'refunded amount')
}

async function readsFee(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { fee } = await findRecordedCheckout(bench, one.asked.paymentId)
  check(fee !== null, 'the gateway has a fee, or the rig lacks it with a reason')
  assertEqual((await readWithStatus(bench, one, 'paid')).fee, fee, 'fee')
}

async function readsOtherAmount(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid', otherAmount)
  const { paid } = await findRecordedCheckout(bench, one.asked.paymentId)
  assertEqual(paid, otherAmount, 'amount at the gateway')
  assertEqual((await readWithStatus(bench, one, 'paid')).amount, otherAmount, 'amount')
}

async function readsNoAmount(bench: Bench): Promise<void> {
  const { amount, fee, refunded } = await readCheckout(bench, await bench.make())
  assertEqual([amount ?? 0, fee ?? 0, refunded ?? 0], [0, 0, 0], 'amount, fee and refunded amount')
}

async function readsEach(bench: Bench): Promise<void> {
  const first = await bench.make()
  const second = await bench.makeSo('paid', undefined, first.desk)
  const third = await bench.make({}, first.desk)
  await readWithStatus(bench, first, 'open')
  await readWithStatus(bench, second, 'paid')
  await readWithStatus(bench, third, 'open')
}

/** Checks that a response about another checkout fails. The server would take it as the state of the requested one. */
async function refusesOther(bench: Bench): Promise<void> {
  const { gateway } = bench
  const other = await bench.makeSo('paid')
  const one = await bench.make({}, other.desk)
  const answers = await recordResponses(other.desk.context, (context) => gateway.read(context, other.made.externalId))
  const read = gateway.read(replayResponses(one.desk.context, answers), one.made.externalId)
  await expectFailure(read, ['unavailable', 'not_found'], 'read that is answered with another checkout')
}

/** Statuses that no gateway has, as text and as a number. */
const UNKNOWN_STATUSES = ['never_heard_of', '4711', 4711]

async function guessesNothing(bench: Bench): Promise<void> {
  const at = requireMember(bench.rig.statusAt, 'statusAt')
  for (const status of ['open', 'paid'] as const)
    for (const word of UNKNOWN_STATUSES) {
      const path = typeof at === 'string' ? at : at[status]
      const { desk, made } = status === 'open' ? await bench.make() : await bench.makeSo(status)
      const { context, changed } = replaceJson(desk.context, path, word)
      const reading = Promise.resolve(bench.gateway.read(context, made.externalId))
      await reading.catch(() => {})
      check(changed() > 0, `the answer of read has its status at ${path}`)
      await expectFailure(reading, ['unavailable'], `read of a checkout whose status is ${JSON.stringify(word)}`)
    }
}

async function readsTakenBack(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await requireMember(bench.rig.takeBack, 'takeBack')(one.desk, one.made.externalId)
  const news = await readCheckout(bench, one)
  assertEqual([news.status, news.takenBack, news.amount], ['paid', true, one.asked.amount], 'status, takenBack and amount')
  // No refund was made, so none is reported. A person checks how much is gone.
  assertEqual(news.refunded ?? 0, 0, 'refunded amount')
}

async function isNotFound({ gateway, open }: Bench): Promise<void> {
  await expectFailure(gateway.read(open().context, 'no-such-checkout'), ['not_found'], 'read')
}

/** Checks that ids are encoded, so that none acts as a path, a query or a fragment. */
async function leadsNowhere({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open()
  const before = (await rig.seen('')).calls.length
  for (const name of crooked) await expectFailure(gateway.read(desk.context, name), ['not_found', 'refused'], `read of ${name}`)
  const { calls } = await rig.seen('')
  const misdirected = calls.slice(before).filter(({ path, query }) => query.includes('c=1') || /\/balance$/.test(path))
  assertEqual(misdirected, [], 'calls to another path')
  if (!hasCalls(gateway)) assertEqual(calls.length, before, 'calls')
}

async function readsSpelling(bench: Bench, spelling: string): Promise<void> {
  const plain = await bench.makeSo('paid')
  const { at: _a, externalId: _e, paymentId: _p, ...expected } = await readWithStatus(bench, plain, 'paid')
  bench.rig.spellings?.[spelling]?.()
  const one = await bench.makeSo('paid')
  const { at, externalId: _x, paymentId: _o, ...found } = await readWithStatus(bench, one, 'paid')
  assertEqual(found, expected, 'state of the checkout')
  if (_a !== undefined) check(at !== undefined && Math.abs(Date.parse(at) - Date.now()) < 60_000, `${at} is now`)
}
