import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { PaymentAdapter } from '../kind.ts'
import { type Checkout, languages } from '../model.ts'
import { assertInstant, type Bench, findRecordedCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { applyFault, deadlineMs, faultCases, faultName, hasCalls, NO_CALLS, silentFaults, unknownOutcomeFaults } from './faults.ts'
import type { Fault, Rig } from './rig.ts'
import type { SeenCheckout } from './seen.ts'

/** A text with characters that have a meaning in markup, queries, templates and shells. */
const odd = `"O'Neil" <b>&amp;</b> \${x} %00 \\ 100% – قميص 👕`
const amounts = [12_345, 999_999]
const currenciesTried = 4
/** Test currency of ISO 4217, which no gateway accepts. */
const noCurrency = 'XTS'

/** Cases about creating checkouts. */
export const creationCases = (gateway: PaymentAdapter): Draft[] => [
  { name: 'a checkout arrives as requested', run: (bench) => arrivesSo(bench, {}) },
  ...languages.map((language) => ({
    name: `a checkout in the language ${language} arrives as requested`,
    run: (bench: Bench) => arrivesSo(bench, { language }),
  })),
  ...amounts.map((amount) => ({
    name: `an amount of ${amount} arrives unchanged`,
    run: (bench: Bench) => arrivesSo(bench, { amount }),
  })),
  { name: 'each currency arrives unchanged', run: eachCurrency },
  { name: 'texts with special characters arrive unchanged', run: (bench) => arrivesSo(bench, { description: odd }) },
  { name: 'a customer without an e-mail address can pay', run: acceptsMissingEmail },
  { name: 'an unsupported currency is refused', run: refusesCurrency },
  { name: 'an amount below the minimum is refused', unless: (gateway.minimum ?? 0) <= 1 && 'it has no minimum', run: refusesLittle },
  { name: 'a repeated checkout is not paid by itself', run: paysNothingItself },
  { name: 'a checkout requested concurrently is not paid by itself', run: paysNothingAtOnce },
  { name: 'a refusal has the message of the gateway', unless: !hasCalls(gateway) && 'it makes no calls', run: reportsRefusal },
  ...unknownOutcomeFaults.map((fault) => ({
    name: `at most one checkout exists after: ${faultName(fault)}`,
    unless: !hasCalls(gateway) && NO_CALLS,
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

/** Properties that are compared if the gateway has them. */
const compared = ['paymentId', 'reference', 'description', 'language', 'returnUrl', 'cancelUrl', 'webhookUrl'] as const

async function arrivesSo(bench: Bench, change: Partial<Checkout>): Promise<void> {
  const { asked, made } = await bench.make(change)
  const seen = await findRecordedCheckout(bench, asked.paymentId)
  assertEqual(made.externalId, seen.externalId, "the gateway's id")
  check(URL.canParse(made.url), `${made.url} is a URL`)
  if (made.expiresAt !== undefined) {
    assertInstant(made.expiresAt)
    check(Date.parse(made.expiresAt) > Date.now(), 'it expires in the future')
  }
  assertEqual([seen.amount, seen.unit, seen.currency], [asked.amount, bench.gateway.unit, asked.currency], 'amount, unit and currency')
  assertEqual(seen.status, 'open', 'status')
  for (const name of compared) isSame(bench.rig, seen, asked, name)
}

function isSame({ lacks }: Rig, seen: SeenCheckout, asked: Checkout, name: (typeof compared)[number]): void {
  const what = lacks?.[name] === undefined ? asked[name] : null
  assertEqual(seen[name], what, lacks?.[name] === undefined ? name : `${name}, which the gateway does not have`)
}

async function eachCurrency(bench: Bench): Promise<void> {
  for (const currency of bench.gateway.currencies.slice(0, currenciesTried)) await arrivesSo(bench, { currency })
}

async function acceptsMissingEmail(bench: Bench): Promise<void> {
  await arrivesSo(bench, { customer: { ...bench.rig.checkout().customer, email: null } })
}

async function assertDeclined({ gateway, rig, open }: Bench, asked: Checkout, what: string) {
  const error = await expectFailure(gateway.createCheckout(open().context, asked), ['refused'], what)
  assertEqual((await rig.seen(asked.paymentId)).checkouts, [], 'checkouts that were created anyway')
  return error
}

async function refusesCurrency(bench: Bench): Promise<void> {
  await assertDeclined(bench, bench.rig.checkout({ currency: noCurrency }), 'an unsupported currency')
}

async function refusesLittle(bench: Bench): Promise<void> {
  const minimum = requireMember(bench.gateway.minimum, 'minimum')
  await assertDeclined(bench, bench.rig.checkout({ amount: minimum - 1 }), 'an amount below the minimum')
}

async function reportsRefusal(bench: Bench): Promise<void> {
  const { checkout, words } = requireMember(bench.rig.refusable, 'refusable')()
  const { message } = await assertDeclined(bench, checkout, 'a request that the gateway declines')
  check(message.includes(words), `"${message}" contains the gateway's message, "${words}"`)
}

/** Checks that all checkouts of the payment wait for a payer. A repeated request may return the same checkout or a new one. */
async function assertOpen({ rig, gateway }: Bench, asked: Checkout, { context }: Desk): Promise<void> {
  for (const { externalId, status } of (await rig.seen(asked.paymentId)).checkouts) {
    assertEqual(status, 'open', 'status at the gateway')
    assertEqual((await gateway.read(context, externalId)).status, 'open', 'status read')
  }
}

async function paysNothingItself(bench: Bench): Promise<void> {
  const { desk, asked, made } = await bench.make()
  const again = await bench.gateway.createCheckout(desk.context, asked)
  await assertOpen(bench, asked, desk)
  await bench.rig.become(desk, again.externalId, 'paid')
  const paid = (await bench.rig.seen(asked.paymentId)).checkouts.filter(({ status }) => status === 'paid')
  assertEqual(
    paid.map(({ externalId }) => externalId),
    [again.externalId],
    'checkouts that are paid after one payment',
  )
  if (made.externalId === again.externalId) return
  assertEqual((await bench.gateway.read(desk.context, made.externalId)).status, 'open', 'status of the other checkout')
}

async function paysNothingAtOnce(bench: Bench): Promise<void> {
  const desk = bench.open()
  const asked = bench.rig.checkout()
  await Promise.all([1, 2, 3].map(() => bench.gateway.createCheckout(desk.context, asked)))
  await assertOpen(bench, asked, desk)
}

/** Checks that an adapter does not repeat a call by itself. */
async function madeOnce({ gateway, rig, open }: Bench, fault: Fault): Promise<void> {
  const asked = rig.checkout()
  applyFault(rig, fault, 'createCheckout')
  await expectFailure(
    gateway.createCheckout(open(silentFaults.includes(fault) ? { deadlineMs } : {}).context, asked),
    ['unavailable'],
    'createCheckout',
  )
  rig.calm()
  const { checkouts } = await rig.seen(asked.paymentId)
  check(checkouts.length <= 1, `there are ${checkouts.length} checkouts`)
}
