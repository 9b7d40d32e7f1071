import { check, fails, needed, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus } from '../model.ts'
import { arrived, type Bench, type Made, readOne } from './bench.ts'
import type { Draft } from './draft.ts'
import { callsSomebody, faultCases, noWire } from './faults.ts'
import { changingJson, recorded, replaying } from './intercept.ts'
import type { Rig } from './rig.ts'

const later = ['processing', 'paid', 'failed', 'cancelled', 'expired'] as const satisfies readonly CheckoutStatus[]
const otherAmount = 180_000
/** A path that leads elsewhere, a query and a fragment. */
const crooked = ['../balance', 'a/b?c=1#d', '%2e%2e%2fbalance', 'no such checkout', 'é👕']

export const readingCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => [
  { name: 'a checkout that waits for its payer is open', run: isOpen },
  ...later.map((status) => ({
    name: `a checkout that is ${status} is read as such`,
    unless: status !== 'paid' && rig.lacks?.[status],
    run: (bench: Bench) => isRead(bench, status),
  })),
  { name: 'what was paid is told with its amount and currency', run: tellsMoney },
  { name: 'what the gateway keeps is told', unless: rig.lacks?.fee, run: tellsFee },
  { name: 'another amount than was asked for is told as it is', unless: rig.lacks?.otherAmount, run: tellsOtherAmount },
  { name: 'what is not paid has no amount that was', run: tellsNoMoney },
  { name: 'of two checkouts each is read as it stands', run: readsEach },
  {
    name: 'an answer about another checkout is not believed',
    unless: (!callsSomebody(gateway) && noWire) || rig.lacks?.otherCheckout,
    run: refusesOther,
  },
  {
    name: 'a status that nobody knows is not guessed',
    unless: (!callsSomebody(gateway) && noWire) || rig.lacks?.unknownStatus,
    run: guessesNothing,
  },
  {
    name: 'money that a bank took back is told as such',
    unless: (!callsSomebody(gateway) && noWire) || rig.lacks?.takenBack,
    run: tellsTakenBack,
  },
  { name: 'a checkout that was never made is not found', run: isNotFound },
  { name: 'a name leads nowhere else', run: leadsNowhere },
  ...Object.keys(rig.spellings ?? {}).map((spelling) => ({
    name: `the same is read where the other side writes ${spelling}`,
    run: (bench: Bench) => readsSpelling(bench, spelling),
  })),
  ...faultCases(gateway, {
    member: 'read',
    prepare: async (bench) => {
      const { desk, made } = await bench.makeSo('paid')
      return (deadlineMs) => {
        const { context } = deadlineMs === undefined ? desk : bench.open({ memory: desk.context.memory, deadlineMs })
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

async function isNamed(bench: Bench, one: Made, status: CheckoutStatus) {
  const news = await readOne(bench, one)
  same(news.status, status, 'status')
  same(news.externalId ?? one.made.externalId, one.made.externalId, "the gateway's name of it")
  const isKept = bench.rig.lacks?.paymentId === undefined
  same(news.paymentId ?? (isKept ? 'nothing' : undefined), isKept ? one.asked.paymentId : undefined, 'our name of it')
  return news
}

async function isOpen(bench: Bench): Promise<void> {
  await isNamed(bench, await bench.make(), 'open')
}

async function isRead(bench: Bench, status: CheckoutStatus): Promise<void> {
  const one = await bench.makeSo(status)
  await isNamed(bench, one, status)
  const seen = await arrived(bench, one.asked.paymentId)
  same(seen.status, status, 'status in the books')
}

/** In the gateway's own unit, and what its books say. */
async function tellsMoney(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { paid } = await arrived(bench, one.asked.paymentId)
  const news = await isNamed(bench, one, 'paid')
  same([news.amount, news.currency], [paid, one.asked.currency], 'amount and currency')
  same(news.amount, one.asked.amount, 'amount that was asked for')
  same(news.takenBack ?? false, false, 'whether a bank took it back')
  same(news.refunded ?? 0, 0, 'what was given back')
}

async function tellsFee(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { fee } = await arrived(bench, one.asked.paymentId)
  check(fee !== null, 'the books know a fee, or the rig says that they lack it')
  same((await isNamed(bench, one, 'paid')).fee, fee, 'fee')
}

async function tellsOtherAmount(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid', otherAmount)
  const { paid } = await arrived(bench, one.asked.paymentId)
  same(paid, otherAmount, 'amount in the books')
  same((await isNamed(bench, one, 'paid')).amount, otherAmount, 'amount')
}

async function tellsNoMoney(bench: Bench): Promise<void> {
  const { amount, fee, refunded } = await readOne(bench, await bench.make())
  same([amount ?? 0, fee ?? 0, refunded ?? 0], [0, 0, 0], 'amount, fee and what was given back')
}

async function readsEach(bench: Bench): Promise<void> {
  const first = await bench.make()
  const second = await bench.makeSo('paid', undefined, first.desk)
  const third = await bench.make({}, first.desk)
  await isNamed(bench, first, 'open')
  await isNamed(bench, second, 'paid')
  await isNamed(bench, third, 'open')
}

/** The server counts what is answered as said of the checkout that it asked about. */
async function refusesOther(bench: Bench): Promise<void> {
  const { gateway } = bench
  const other = await bench.makeSo('paid')
  const one = await bench.make({}, other.desk)
  const answers = await recorded(other.desk.context, (context) => gateway.read(context, other.made.externalId))
  const read = gateway.read(replaying(one.desk.context, answers), one.made.externalId)
  await fails(read, ['unavailable', 'not_found'], 'read of one checkout that is answered with another')
}

/** Never heard of: as no gateway writes it, as a text and as a number. */
const STRANGE = ['never_heard_of', '4711', 4711]

async function guessesNothing(bench: Bench): Promise<void> {
  const at = needed(bench.rig.statusAt, 'statusAt')
  for (const status of ['open', 'paid'] as const)
    for (const word of STRANGE) {
      const path = typeof at === 'string' ? at : at[status]
      const { desk, made } = status === 'open' ? await bench.make() : await bench.makeSo(status)
      const { context, changed } = changingJson(desk.context, path, word)
      const reading = Promise.resolve(bench.gateway.read(context, made.externalId))
      await reading.catch(() => {})
      check(changed() > 0, `the answer of read has its status at ${path}`)
      await fails(reading, ['unavailable'], `read of a checkout whose status is ${JSON.stringify(word)}`)
    }
}

async function tellsTakenBack(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await needed(bench.rig.takeBack, 'takeBack')(one.desk, one.made.externalId)
  const news = await readOne(bench, one)
  same([news.status, news.takenBack, news.amount], ['paid', true, one.asked.amount], 'status, takenBack and amount')
  // No refund was made, so none is told: a person looks at how much is gone.
  same(news.refunded ?? 0, 0, 'what is told to be given back')
}

async function isNotFound({ gateway, open }: Bench): Promise<void> {
  await fails(gateway.read(open().context, 'no-such-checkout'), ['not_found'], 'read')
}

/** Names are the other side's words: none is a path, a query or a fragment of an address. */
async function leadsNowhere({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open()
  const before = (await rig.seen('')).calls.length
  for (const name of crooked) await fails(gateway.read(desk.context, name), ['not_found', 'refused'], `read of ${name}`)
  const { calls } = await rig.seen('')
  const strayed = calls.slice(before).filter(({ path, query }) => query.includes('c=1') || /\/balance$/.test(path))
  same(strayed, [], 'calls that strayed')
  if (!callsSomebody(gateway)) same(calls.length, before, 'calls')
}

async function readsSpelling(bench: Bench, spelling: string): Promise<void> {
  const plain = await bench.makeSo('paid')
  const { at: _a, externalId: _e, paymentId: _p, ...expected } = await isNamed(bench, plain, 'paid')
  bench.rig.spellings?.[spelling]?.()
  const one = await bench.makeSo('paid')
  const { at, externalId: _x, paymentId: _o, ...found } = await isNamed(bench, one, 'paid')
  same(found, expected, 'news')
  if (_a !== undefined) check(at !== undefined && Math.abs(Date.parse(at) - Date.now()) < 60_000, `${at} is now`)
}
