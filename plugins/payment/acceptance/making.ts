import { check, fails, needed, same } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { PaymentAdapter } from '../kind.ts'
import { type Checkout, languages } from '../model.ts'
import { arrived, type Bench, isInstant } from './bench.ts'
import type { Draft } from './draft.ts'
import { callsSomebody, deadlineMs, faultCases, noWire, provoke, silent, unknown, wordsOf } from './faults.ts'
import type { Fault, Rig } from './rig.ts'
import type { SeenCheckout } from './seen.ts'

/** Words that markup, queries, templates and shells take for their own. */
const odd = `"O'Neil" <b>&amp;</b> \${x} %00 \\ 100% – قميص 👕`
const amounts = [12_345, 999_999]
const currenciesTried = 4
/** ISO 4217 keeps it for tests: nobody takes it. */
const noCurrency = 'XTS'

export const makingCases = (gateway: PaymentAdapter): Draft[] => [
  { name: 'a checkout arrives as it was asked for', run: (bench) => arrivesSo(bench, {}) },
  ...languages.map((language) => ({
    name: `a checkout in the language ${language} arrives as it was asked for`,
    run: (bench: Bench) => arrivesSo(bench, { language }),
  })),
  ...amounts.map((amount) => ({
    name: `an amount of ${amount} arrives as it is`,
    run: (bench: Bench) => arrivesSo(bench, { amount }),
  })),
  { name: 'each currency arrives as it is', run: eachCurrency },
  { name: 'words that mean something elsewhere arrive as they are', run: (bench) => arrivesSo(bench, { description: odd }) },
  { name: 'a customer without an e-mail address can pay', run: withoutMail },
  { name: 'a currency that it does not take is refused', run: refusesCurrency },
  { name: 'less than it takes is refused', unless: (gateway.minimum ?? 0) <= 1 && 'it takes any amount', run: refusesLittle },
  { name: 'the same checkout asked for again is paid by nobody', run: paysNothingItself },
  { name: 'the same checkout asked for many times at once is paid by nobody', run: paysNothingAtOnce },
  { name: 'a refusal is told with its words', unless: !callsSomebody(gateway) && 'it calls nobody who could refuse', run: tellsRefusal },
  ...unknown.map((fault) => ({
    name: `one checkout at most after: ${wordsOf(fault)}`,
    unless: !callsSomebody(gateway) && noWire,
    run: (bench: Bench) => madeOnce(bench, fault),
  })),
  ...faultCases(gateway, {
    member: 'createCheckout',
    prepare:
      async ({ gateway, open, rig }) =>
      (deadlineMs) =>
        gateway.createCheckout(open(until(deadlineMs)).context, rig.checkout()),
  }),
]

const until = (deadlineMs: number | undefined) => (deadlineMs === undefined ? {} : { deadlineMs })

/** What is compared where the gateway has a place for it. */
const compared = ['paymentId', 'reference', 'description', 'language', 'returnUrl', 'cancelUrl', 'webhookUrl'] as const

async function arrivesSo(bench: Bench, change: Partial<Checkout>): Promise<void> {
  const { asked, made } = await bench.make(change)
  const seen = await arrived(bench, asked.paymentId)
  same(made.externalId, seen.externalId, "the gateway's name of it")
  check(URL.canParse(made.url), `${made.url} is the address of a page`)
  if (made.expiresAt !== undefined) {
    isInstant(made.expiresAt)
    check(Date.parse(made.expiresAt) > Date.now(), 'it can be paid for a while')
  }
  same([seen.amount, seen.unit, seen.currency], [asked.amount, bench.gateway.unit, asked.currency], 'amount, unit and currency')
  same(seen.status, 'open', 'status')
  for (const name of compared) isSame(bench.rig, seen, asked, name)
}

function isSame({ lacks }: Rig, seen: SeenCheckout, asked: Checkout, name: (typeof compared)[number]): void {
  const what = lacks?.[name] === undefined ? asked[name] : null
  same(seen[name], what, lacks?.[name] === undefined ? name : `${name}, for which there is no place`)
}

async function eachCurrency(bench: Bench): Promise<void> {
  for (const currency of bench.gateway.currencies.slice(0, currenciesTried)) await arrivesSo(bench, { currency })
}

async function withoutMail(bench: Bench): Promise<void> {
  await arrivesSo(bench, { customer: { ...bench.rig.checkout().customer, email: null } })
}

async function isDeclined({ gateway, rig, open }: Bench, asked: Checkout, what: string) {
  const error = await fails(gateway.createCheckout(open().context, asked), ['refused'], what)
  same((await rig.seen(asked.paymentId)).checkouts, [], 'checkouts that were made all the same')
  return error
}

async function refusesCurrency(bench: Bench): Promise<void> {
  await isDeclined(bench, bench.rig.checkout({ currency: noCurrency }), 'a currency that it does not take')
}

async function refusesLittle(bench: Bench): Promise<void> {
  const minimum = needed(bench.gateway.minimum, 'minimum')
  await isDeclined(bench, bench.rig.checkout({ amount: minimum - 1 }), 'less than it takes')
}

async function tellsRefusal(bench: Bench): Promise<void> {
  const { checkout, words } = needed(bench.rig.refusable, 'refusable')()
  const { message } = await isDeclined(bench, checkout, 'what the gateway declines')
  check(message.includes(words), `"${message}" has the gateway's own words, "${words}"`)
}

/** It may be a new checkout or the same one: each waits for a payer. */
async function waits({ rig, gateway }: Bench, asked: Checkout, { context }: Desk): Promise<void> {
  for (const { externalId, status } of (await rig.seen(asked.paymentId)).checkouts) {
    same(status, 'open', 'status in the books')
    same((await gateway.read(context, externalId)).status, 'open', 'status read')
  }
}

async function paysNothingItself(bench: Bench): Promise<void> {
  const { desk, asked, made } = await bench.make()
  const again = await bench.gateway.createCheckout(desk.context, asked)
  await waits(bench, asked, desk)
  await bench.rig.become(desk, again.externalId, 'paid')
  const paid = (await bench.rig.seen(asked.paymentId)).checkouts.filter(({ status }) => status === 'paid')
  same(
    paid.map(({ externalId }) => externalId),
    [again.externalId],
    'what is paid once a payer paid one of them',
  )
  if (made.externalId === again.externalId) return
  same((await bench.gateway.read(desk.context, made.externalId)).status, 'open', 'the other one')
}

async function paysNothingAtOnce(bench: Bench): Promise<void> {
  const desk = bench.open()
  const asked = bench.rig.checkout()
  await Promise.all([1, 2, 3].map(() => bench.gateway.createCheckout(desk.context, asked)))
  await waits(bench, asked, desk)
}

/** Whatever is answered, an adapter does not ask a second time by itself. */
async function madeOnce({ gateway, rig, open }: Bench, fault: Fault): Promise<void> {
  const asked = rig.checkout()
  provoke(rig, fault, 'createCheckout')
  await fails(gateway.createCheckout(open(silent.includes(fault) ? { deadlineMs } : {}).context, asked), ['unavailable'], 'createCheckout')
  rig.calm()
  const { checkouts } = await rig.seen(asked.paymentId)
  check(checkouts.length <= 1, `there are ${checkouts.length} checkouts`)
}
