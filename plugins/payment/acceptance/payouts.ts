import { check, fails, fits, needed, same, unique } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { PayoutLinePage, PayoutPage, type PayoutStatus, type ToldPayout, type ToldPayoutLine } from '../model.ts'
import { type Bench, isInstant, type Made } from './bench.ts'
import type { Draft } from './draft.ts'
import { callsSomebody, faultCases } from './faults.ts'
import type { Rig } from './rig.ts'

const none = 'nothing is known of how it pays out'
const later = ['pending', 'in_transit', 'failed', 'cancelled'] as const satisfies readonly PayoutStatus[]
const part = 40_000
const hourMs = 3_600_000
const pagesMax = 50
/** Names that lead to another payout, or to none. */
const crooked = ['no-such-payout', '../payouts', 'a/b?c=1#d', '%2e%2e%2fbalance']

export const payoutCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.payouts && none
  const paged = unless || (!callsSomebody(gateway) && 'it calls nobody who could give less than all')
  return [
    { name: 'a payout is told as it stands in the books', unless, run: isTold },
    { name: 'the lines of a payout are those of the books, and come to its amount', unless, run: tellsLines },
    {
      name: 'what was given back stands in a payout under our name of it',
      unless: unless || (!gateway.refund && 'it gives nothing back'),
      run: tellsRefund,
    },
    {
      name: 'a payout has lines of its own currency alone',
      unless: unless || (gateway.currencies.length === 1 && 'it has one currency'),
      run: tellsCurrencies,
    },
    { name: 'each payment is in one payout', unless, run: tellsOnce },
    ...later.map((status) => ({
      name: `a payout that is ${status.replace('_', ' ')} is told as such`,
      unless: unless || rig.lacks?.[`payout.${status}`],
      run: (bench: Bench) => isSo(bench, status),
    })),
    {
      name: 'the money of a payout that failed comes back as a line that names it',
      unless: unless || rig.lacks?.['payout.failed'],
      run: comesBack,
    },
    { name: 'what was made before is not asked for again', unless, run: beginsSince },
    { name: 'pages of payouts and of lines are followed to their end', unless: paged, run: followsPages },
    { name: 'a payout that was never made is not found', unless, run: isNotFound },
    { name: 'wrong credentials are told as such by payouts too', unless: paged, run: isTurnedDown },
    ...faultCases(gateway, {
      member: 'payouts.list',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        await payOut(bench, one)
        return (deadlineMs) => listOf(bench, deadlineMs === undefined ? one.desk : hurried(bench, one, deadlineMs))
      },
    }),
    ...faultCases(gateway, {
      member: 'payouts.lines',
      unless,
      prepare: async (bench) => {
        const one = await bench.makeSo('paid')
        const externalId = await payOut(bench, one)
        return (deadlineMs) => linesOf(bench, deadlineMs === undefined ? one.desk : hurried(bench, one, deadlineMs), externalId)
      },
    }),
  ]
}

const hurried = ({ open }: Bench, { desk }: Made, deadlineMs: number) => open({ memory: desk.context.memory, deadlineMs })
const payOut = ({ rig }: Bench, { desk }: Made) => needed(rig.payOut, 'payOut')(desk)
const seen = ({ rig }: Bench, { desk }: Made, externalId: string) => needed(rig.seenPayout, 'seenPayout')(desk, externalId)

/** All pages, from an hour ago on. */
async function listOf({ gateway }: Bench, { context }: Made['desk'], since = Date.now() - hourMs): Promise<ToldPayout[]> {
  const found: ToldPayout[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page: PayoutPage = await needed(gateway.payouts, 'payouts').list(context, { since: new Date(since).toISOString(), cursor })
    fits(PayoutPage, page, 'payouts')
    found.push(...page.payouts)
    if (page.cursor === null) return found
    check(page.cursor !== cursor, 'the next page is another one')
    cursor = page.cursor
  }
  throw new Error('the list of payouts has no end')
}

async function linesOf({ gateway }: Bench, { context }: Made['desk'], externalId: string): Promise<ToldPayoutLine[]> {
  const found: ToldPayoutLine[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page: PayoutLinePage = await needed(gateway.payouts, 'payouts').lines(context, { externalId, cursor })
    fits(PayoutLinePage, page, 'lines')
    found.push(...page.lines)
    if (page.cursor === null) return found
    check(page.cursor !== cursor, 'the next page is another one')
    cursor = page.cursor
  }
  throw new Error('the lines have no end')
}

async function oneOf(bench: Bench, one: Made, externalId: string): Promise<ToldPayout> {
  const told = (await listOf(bench, one.desk)).filter((payout) => payout.externalId === externalId)
  check(told[0] && told.length === 1, `${externalId} is told once, instead of ${told.length} times`)
  return told[0]
}

async function isTold(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const externalId = await payOut(bench, one)
  const told = await oneOf(bench, one, externalId)
  const { payout } = await seen(bench, one, externalId)
  same([told.status, told.amount, told.currency, told.lines], ['paid', payout.amount, payout.currency, payout.lines], 'payout')
  same(told.currency, one.asked.currency, 'currency that was asked for')
  isInstant(told.madeAt)
  same(
    told.arrivesAt === undefined ? null : Date.parse(told.arrivesAt),
    payout.arrivesAt === null ? null : Date.parse(payout.arrivesAt),
    'arrival',
  )
}

/** Line by line what the books have, whoever is named how. */
async function agrees(bench: Bench, one: Made, externalId: string): Promise<ToldPayoutLine[]> {
  const told = await linesOf(bench, one.desk, externalId)
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
  same(inOrder(told).map(plain), inOrder(lines).map(plain), 'lines')
  for (const line of told) {
    same(line.gross - line.fee, line.net, 'what is left of a line')
    if (line.at !== undefined) isInstant(line.at)
    const own = lines.find((each) => each.externalId === line.externalId)
    if (line.checkoutId !== undefined) same(line.checkoutId, own?.checkoutId, 'checkout of a line')
    if (line.refundId !== undefined) same(line.refundId, own?.refundId, 'refund of a line')
    same(line.payoutId ?? null, own?.payoutId ?? null, 'payout that a line brings back')
  }
  same(
    told.reduce((sum, { net }) => sum + net, 0),
    payout.amount,
    'what the lines come to',
  )
  return told
}

const isOf =
  ({ made, asked }: Made) =>
  ({ checkoutId, paymentId }: ToldPayoutLine) =>
    checkoutId === undefined ? paymentId === asked.paymentId : checkoutId === made.externalId

async function tellsLines(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const other = await bench.makeSo('paid', undefined, one.desk)
  const lines = await agrees(bench, one, await payOut(bench, one))
  for (const made of [one, other]) {
    const own = lines.filter(isOf(made))
    same(
      own.map(({ kind, gross }) => [kind, gross]),
      [['payment', made.asked.amount]],
      'lines of a payment',
    )
  }
}

async function tellsRefund(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const { externalId } = one.made
  const { currency } = one.asked
  const amount = bench.gateway.refunds?.partial ? part : one.asked.amount
  const refundId = `rfd_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  const whole = amount === one.asked.amount
  const given = await bench.gateway.refund?.(one.desk.context, { externalId, refundId, amount, whole, currency, reason: 'sent back' })
  const lines = await agrees(bench, one, await payOut(bench, one))
  const own = lines.filter(isOf(one)).filter(({ kind }) => kind === 'refund')
  same(
    own.map(({ gross }) => gross),
    [-amount],
    'what was given back',
  )
  const [line] = own
  check(line?.refundId === refundId || line?.refundExternalId === given?.externalId, 'the refund is named')
}

async function tellsCurrencies(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const currency = bench.gateway.currencies.find((code) => code !== one.asked.currency) ?? ''
  const foreign = await bench.make({ currency }, one.desk)
  await bench.rig.become(one.desk, foreign.made.externalId, 'paid')
  const lines = await agrees(bench, one, await payOut(bench, one))
  same([...new Set(lines.map((line) => line.currency))], [one.asked.currency], 'currencies of a payout')
  same(lines.filter(isOf(foreign)), [], 'lines of what was paid in another')
}

async function tellsOnce(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const first = await payOut(bench, one)
  const other = await bench.makeSo('paid', undefined, one.desk)
  const second = await payOut(bench, one)
  check(first !== second, 'each payout has a name of its own')
  for (const [externalId, made] of [
    [first, one],
    [second, other],
  ] as const) {
    const lines = await agrees(bench, one, externalId)
    same(lines.filter(({ kind }) => kind === 'payment').map(isOf(made)), [true], 'payments of a payout')
  }
}

async function isSo(bench: Bench, status: PayoutStatus): Promise<void> {
  const one = await bench.makeSo('paid')
  const externalId = await payOut(bench, one)
  await needed(bench.rig.movePayout, 'movePayout')(one.desk, externalId, status)
  same((await seen(bench, one, externalId)).payout.status, status, 'status in the books')
  same((await oneOf(bench, one, externalId)).status, status, 'status')
}

async function comesBack(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const failed = await payOut(bench, one)
  const { amount } = (await seen(bench, one, failed)).payout
  await needed(bench.rig.movePayout, 'movePayout')(one.desk, failed, 'failed')
  const lines = await agrees(bench, one, await payOut(bench, one))
  same(
    lines.map(({ kind, net, payoutId }) => [kind, net, payoutId]),
    [['returned', amount, failed]],
    'lines',
  )
}

async function beginsSince(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await payOut(bench, one)
  same(await listOf(bench, one.desk, Date.now() + hourMs * 24 * 365), [], 'payouts made in a year')
}

async function followsPages(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  const made = [one]
  for (let count = 0; count < 4; count += 1) made.push(await bench.makeSo('paid', undefined, one.desk))
  needed(bench.rig.pagesOf, 'pagesOf')(2)
  const lines = await agrees(bench, one, await payOut(bench, one))
  for (const each of made) same(lines.filter(isOf(each)).length, 1, 'lines of a payment')
  for (let count = 0; count < 3; count += 1) {
    await bench.makeSo('paid', undefined, one.desk)
    await payOut(bench, one)
  }
  const payouts = await listOf(bench, one.desk)
  same(payouts.length, 4, 'payouts')
  unique(
    payouts.map(({ externalId }) => externalId),
    'payouts',
  )
}

async function isNotFound(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await payOut(bench, one)
  for (const name of crooked) await fails(linesOf(bench, one.desk, name), ['not_found', 'refused'], `lines of ${name}`)
}

async function isTurnedDown(bench: Bench): Promise<void> {
  const { rig, open } = bench
  const desk = open({ credentials: { ...rig.credentials, ...needed(rig.badCredentials, 'badCredentials') } })
  await fails(listOf(bench, desk), ['unauthorized'], 'list')
  await fails(linesOf(bench, desk, 'no-such-payout'), ['unauthorized'], 'lines')
}
