import { assertEqual, assertFits, assertUnique, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { PayoutLinePage, PayoutPage, type PayoutStatus, type ToldPayout, type ToldPayoutLine } from '../payouts.model.ts'
import { assertInstant, type Bench, type CreatedCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases, hasCalls } from './faults.ts'
import type { Rig } from './rig.ts'

const none = 'it has no payouts'
const otherStatuses = ['pending', 'in_transit', 'failed', 'cancelled'] as const satisfies readonly PayoutStatus[]
const part = 40_000
const hourMs = 3_600_000
const pagesMax = 50
/** Ids that would lead to another payout or to none if they were not encoded. */
const crooked = ['no-such-payout', '../payouts', 'a/b?c=1#d', '%2e%2e%2fbalance']

/** Cases about payouts. */
export const payoutCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.payouts && none
  const paged = unless || (!hasCalls(gateway) && 'it makes no calls')
  return [
    { name: 'a payout is listed as the gateway has it', unless, run: listsPayout },
    { name: 'the lines of a payout match those of the gateway, and sum to its amount', unless, run: listsLines },
    {
      name: 'a refund is a line of a payout with our id',
      unless: unless || (!gateway.refund && 'it makes no refunds'),
      run: listsRefund,
    },
    {
      name: 'a payout only has lines of its currency',
      unless: unless || (gateway.currencies.length === 1 && 'it has one currency'),
      run: separatesCurrencies,
    },
    { name: 'each payment is in one payout', unless, run: listsOnce },
    ...otherStatuses.map((status) => ({
      name: `a payout that is ${status.replace('_', ' ')} is reported as such`,
      unless: unless || rig.lacks?.[`payout.${status}`],
      run: (bench: Bench) => reportsStatus(bench, status),
    })),
    {
      name: 'the money of a failed payout returns as a line that names it',
      unless: unless || rig.lacks?.['payout.failed'],
      run: returnsMoney,
    },
    { name: 'payouts before the requested time are not listed', unless, run: beginsSince },
    { name: 'all pages of payouts and of lines are read', unless: paged, run: followsPages },
    { name: 'an unknown payout is not found', unless, run: isNotFound },
    { name: 'wrong credentials are reported as unauthorized by payouts', unless: paged, run: rejectsCredentials },
    ...faultCases(gateway, {
      member: 'payouts.list',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        await payOut(bench, one)
        return (deadlineMs) => listOf(bench, deadlineMs === undefined ? one.desk : withDeadline(bench, one, deadlineMs))
      },
    }),
    ...faultCases(gateway, {
      member: 'payouts.lines',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        const externalId = await payOut(bench, one)
        return (deadlineMs) => linesOf(bench, deadlineMs === undefined ? one.desk : withDeadline(bench, one, deadlineMs), externalId)
      },
    }),
  ]
}

const withDeadline = ({ open }: Bench, { desk }: CreatedCheckout, deadlineMs: number) => open({ storage: desk.context.storage, deadlineMs })
const payOut = ({ rig }: Bench, { desk }: CreatedCheckout) => requireMember(rig.payOut, 'payOut')(desk)
const seen = ({ rig }: Bench, { desk }: CreatedCheckout, externalId: string) =>
  requireMember(rig.seenPayout, 'seenPayout')(desk, externalId)

/** Lists the payouts of all pages, by default of the last hour. */
async function listOf({ gateway }: Bench, { context }: CreatedCheckout['desk'], since = Date.now() - hourMs): Promise<ToldPayout[]> {
  const found: ToldPayout[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page: PayoutPage = await requireMember(gateway.payouts, 'payouts').list(context, { since: new Date(since).toISOString(), cursor })
    assertFits(PayoutPage, page, 'payouts')
    found.push(...page.payouts)
    if (page.cursor === null) return found
    check(page.cursor !== cursor, 'the next page is another one')
    cursor = page.cursor
  }
  throw new Error('the list of payouts does not end')
}

async function linesOf({ gateway }: Bench, { context }: CreatedCheckout['desk'], externalId: string): Promise<ToldPayoutLine[]> {
  const found: ToldPayoutLine[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page: PayoutLinePage = await requireMember(gateway.payouts, 'payouts').lines(context, { externalId, cursor })
    assertFits(PayoutLinePage, page, 'lines')
    found.push(...page.lines)
    if (page.cursor === null) return found
    check(page.cursor !== cursor, 'the next page is another one')
    cursor = page.cursor
  }
  throw new Error('the lines do not end')
}

async function oneOf(bench: Bench, one: CreatedCheckout, externalId: string): Promise<ToldPayout> {
  const listed = (await listOf(bench, one.desk)).filter((payout) => payout.externalId === externalId)
  check(listed[0] && listed.length === 1, `${externalId} is listed once, instead of ${listed.length} times`)
  return listed[0]
}

async function listsPayout(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const externalId = await payOut(bench, one)
  const listed = await oneOf(bench, one, externalId)
  const { payout } = await seen(bench, one, externalId)
  assertEqual(
    [listed.status, listed.amount, listed.currency, listed.lines],
    ['paid', payout.amount, payout.currency, payout.lines],
    'payout',
  )
  assertEqual(listed.currency, one.asked.currency, 'requested currency')
  assertInstant(listed.madeAt)
  assertEqual(
    listed.arrivesAt === undefined ? null : Date.parse(listed.arrivesAt),
    payout.arrivesAt === null ? null : Date.parse(payout.arrivesAt),
    'arrival',
  )
}

/** Checks that the lines match those of the gateway, one by one, and returns them. */
async function checkLines(bench: Bench, one: CreatedCheckout, externalId: string): Promise<ToldPayoutLine[]> {
  const listed = await linesOf(bench, one.desk, externalId)
  const { payout, lines } = await seen(bench, one, externalId)
  const inOrder = <L extends { readonly externalId: string }>(some: readonly L[]) =>
    some.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
  const plain = ({
    externalId,
    kind,
    gross,
    fee,
    net,
    currency,
  }: Pick<ToldPayoutLine, 'externalId' | 'kind' | 'gross' | 'fee' | 'net' | 'currency'>) => [externalId, kind, gross, fee, net, currency]
  assertEqual(inOrder(listed).map(plain), inOrder(lines).map(plain), 'lines')
  for (const line of listed) {
    assertEqual(line.gross - line.fee, line.net, 'net amount of a line')
    if (line.at !== undefined) assertInstant(line.at)
    const own = lines.find((each) => each.externalId === line.externalId)
    if (line.checkoutId !== undefined) assertEqual(line.checkoutId, own?.checkoutId, 'checkout of a line')
    if (line.refundId !== undefined) assertEqual(line.refundId, own?.refundId, 'refund of a line')
    assertEqual(line.payoutId ?? null, own?.payoutId ?? null, 'failed payout of a line')
  }
  assertEqual(
    listed.reduce((sum, { net }) => sum + net, 0),
    payout.amount,
    'sum of the lines',
  )
  return listed
}

const isOf =
  ({ made, asked }: CreatedCheckout) =>
  ({ checkoutId, paymentId }: ToldPayoutLine) =>
    checkoutId === undefined ? paymentId === asked.paymentId : checkoutId === made.externalId

async function listsLines(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const other = await bench.makeSo('paid', undefined, one.desk)
  const lines = await checkLines(bench, one, await payOut(bench, one))
  for (const made of [one, other]) {
    const own = lines.filter(isOf(made))
    assertEqual(
      own.map(({ kind, gross }) => [kind, gross]),
      [['payment', made.asked.amount]],
      'lines of a payment',
    )
  }
}

async function listsRefund(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { externalId } = one.made
  const { currency } = one.asked
  const amount = bench.gateway.refunds?.partial ? part : one.asked.amount
  const refundId = `rfd_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  const whole = amount === one.asked.amount
  const given = await bench.gateway.refund?.(one.desk.context, { externalId, refundId, amount, whole, currency, reason: 'sent back' })
  const lines = await checkLines(bench, one, await payOut(bench, one))
  const own = lines.filter(isOf(one)).filter(({ kind }) => kind === 'refund')
  assertEqual(
    own.map(({ gross }) => gross),
    [-amount],
    'refunded amount',
  )
  const [line] = own
  check(line?.refundId === refundId || line?.refundExternalId === given?.externalId, 'the refund is identified')
}

async function separatesCurrencies(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const currency = bench.gateway.currencies.find((code) => code !== one.asked.currency) ?? ''
  const foreign = await bench.make({ currency }, one.desk)
  await bench.rig.become(one.desk, foreign.made.externalId, 'paid')
  const lines = await checkLines(bench, one, await payOut(bench, one))
  assertEqual([...new Set(lines.map((line) => line.currency))], [one.asked.currency], 'currencies of a payout')
  assertEqual(lines.filter(isOf(foreign)), [], 'lines of a payment in another currency')
}

async function listsOnce(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const first = await payOut(bench, one)
  const other = await bench.makeSo('paid', undefined, one.desk)
  const second = await payOut(bench, one)
  check(first !== second, 'each payout has its own id')
  for (const [externalId, made] of [
    [first, one],
    [second, other],
  ] as const) {
    const lines = await checkLines(bench, one, externalId)
    assertEqual(lines.filter(({ kind }) => kind === 'payment').map(isOf(made)), [true], 'payments of a payout')
  }
}

async function reportsStatus(bench: Bench, status: PayoutStatus): Promise<void> {
  const one = await bench.makeSo('paid')
  const externalId = await payOut(bench, one)
  await requireMember(bench.rig.movePayout, 'movePayout')(one.desk, externalId, status)
  assertEqual((await seen(bench, one, externalId)).payout.status, status, 'status at the gateway')
  assertEqual((await oneOf(bench, one, externalId)).status, status, 'status')
}

async function returnsMoney(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const failed = await payOut(bench, one)
  const { amount } = (await seen(bench, one, failed)).payout
  await requireMember(bench.rig.movePayout, 'movePayout')(one.desk, failed, 'failed')
  const lines = await checkLines(bench, one, await payOut(bench, one))
  assertEqual(
    lines.map(({ kind, net, payoutId }) => [kind, net, payoutId]),
    [['returned', amount, failed]],
    'lines',
  )
}

async function beginsSince(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await payOut(bench, one)
  assertEqual(await listOf(bench, one.desk, Date.now() + hourMs * 24 * 365), [], 'payouts made a year from now')
}

async function followsPages(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const made = [one]
  for (let count = 0; count < 4; count += 1) made.push(await bench.makeSo('paid', undefined, one.desk))
  requireMember(bench.rig.pagesOf, 'pagesOf')(2)
  const lines = await checkLines(bench, one, await payOut(bench, one))
  for (const each of made) assertEqual(lines.filter(isOf(each)).length, 1, 'lines of a payment')
  for (let count = 0; count < 3; count += 1) {
    await bench.makeSo('paid', undefined, one.desk)
    await payOut(bench, one)
  }
  const payouts = await listOf(bench, one.desk)
  assertEqual(payouts.length, 4, 'payouts')
  assertUnique(
    payouts.map(({ externalId }) => externalId),
    'payouts',
  )
}

async function isNotFound(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await payOut(bench, one)
  for (const name of crooked) await expectFailure(linesOf(bench, one.desk, name), ['not_found', 'refused'], `lines of ${name}`)
}

async function rejectsCredentials(bench: Bench): Promise<void> {
  const { rig, open } = bench
  const desk = open({ credentials: { ...rig.credentials, ...requireMember(rig.badCredentials, 'badCredentials') } })
  await expectFailure(listOf(bench, desk), ['unauthorized'], 'list')
  await expectFailure(linesOf(bench, desk, 'no-such-payout'), ['unauthorized'], 'lines')
}
