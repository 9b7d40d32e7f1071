import { check, needed, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus, PaymentNews } from '../model.ts'
import { arrived, type Bench, isNews, type Made, readOne } from './bench.ts'
import type { Draft } from './draft.ts'
import type { CallbackEvent, Rig } from './rig.ts'

const none = 'it calls nobody back'
const garbage = [
  '',
  'null',
  '[]',
  '{}',
  '5',
  '{"type":"toString","data":{}}',
  '{"type":{},"data":[null,1,"x"]}',
  '\u0000{',
  '{"data":{"id":',
]

export const callbackCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.webhook && none
  return [
    ...(rig.tells ?? []).map((status) => ({
      name: `news that a checkout is ${status} are read`,
      unless,
      run: (bench: Bench) => isTold(bench, status),
    })),
    { name: 'news and what is read say the same', unless, run: saysTheSame },
    { name: 'the same callback twice says the same', unless, run: repeats },
    { name: 'a type that nobody knows is no news', unless, run: ignoresUnknown },
    { name: 'an event that makes no sense breaks nothing', unless, run: survivesNonsense },
    { name: 'one bad event hides no other', unless: unless || rig.lacks?.several, run: hidesNone },
    { name: 'several events are several news', unless: unless || rig.lacks?.several, run: tellsSeveral },
    {
      name: 'garbage that is rightly signed breaks nothing',
      unless: unless || (!rig.proof?.signs && 'its proof signs no bytes'),
      run: survivesGarbage,
    },
    ...Object.keys(rig.spellings ?? {}).map((spelling) => ({
      name: `the same news are read where the other side writes ${spelling}`,
      unless,
      run: (bench: Bench) => readsSpelling(bench, spelling),
    })),
  ]
}

async function newsOf({ gateway, rig }: Bench, { desk }: Made, events: readonly CallbackEvent[]): Promise<PaymentNews[]> {
  const request = await needed(rig.callback, 'callback')(desk, events)
  const news = await gateway.webhook?.parse(request, desk.context)
  check(news, 'callbacks are read')
  for (const one of news) isNews(one)
  return news
}

async function onlyNews(bench: Bench, one: Made, status: CheckoutStatus): Promise<PaymentNews> {
  const [news, ...others] = await newsOf(bench, one, [{ externalId: one.made.externalId, status }])
  check(news && others.length === 0, `one piece of news, instead of ${others.length + (news ? 1 : 0)}`)
  return news
}

/** Both names where both are told; that of an unknown checkout alone would lead nowhere. */
async function isTold(bench: Bench, status: CheckoutStatus): Promise<void> {
  const one = await bench.make()
  const news = await onlyNews(bench, one, status)
  same(news.status, status, 'status')
  same(news.externalId ?? one.made.externalId, one.made.externalId, "the gateway's name of it")
  if (bench.rig.lacks?.paymentId === undefined) same(news.paymentId, one.asked.paymentId, 'our name of it')
  const { paid, currency } = await arrived(bench, one.asked.paymentId)
  if (status !== 'paid') return same(news.amount ?? 0, 0, 'amount of what is not paid')
  same([news.amount ?? paid, news.currency ?? currency], [one.asked.amount, one.asked.currency], 'amount and currency')
}

async function saysTheSame(bench: Bench): Promise<void> {
  const one = await bench.make()
  const news = await onlyNews(bench, one, 'paid')
  const read = await readOne(bench, one)
  for (const name of ['status', 'externalId', 'paymentId', 'amount', 'currency', 'fee'] as const)
    if (news[name] !== undefined) same(news[name], read[name], name)
}

async function repeats(bench: Bench): Promise<void> {
  const { gateway, rig } = bench
  const one = await bench.make()
  const request = await needed(rig.callback, 'callback')(one.desk, [{ externalId: one.made.externalId, status: 'paid' }])
  const first = await gateway.webhook?.parse(request, one.desk.context)
  same(first?.length, 1, 'news')
  same(await gateway.webhook?.parse(request, one.desk.context), first, 'the second reading')
  same((await readOne(bench, one)).amount, one.asked.amount, 'what was paid')
}

async function ignoresUnknown(bench: Bench): Promise<void> {
  const one = await bench.make()
  same(await newsOf(bench, one, [{ externalId: one.made.externalId, status: 'unknown' }]), [], 'news')
  same((await readOne(bench, one)).status, 'open', 'status')
}

async function survivesNonsense(bench: Bench): Promise<void> {
  const one = await bench.make()
  same(await newsOf(bench, one, [null]), [], 'news')
  check(one.desk.logged.length > 0, 'what was left out is logged')
}

async function hidesNone(bench: Bench): Promise<void> {
  const one = await bench.make()
  const told = { externalId: one.made.externalId, status: 'paid' } as const
  const news = await newsOf(bench, one, [null, told, { ...told, status: 'unknown' }, null])
  same(
    news.map(({ status }) => status),
    ['paid'],
    'news',
  )
  check(one.desk.logged.length > 0, 'what was left out is logged')
}

async function tellsSeveral(bench: Bench): Promise<void> {
  const one = await bench.make()
  const other = await bench.make({}, one.desk)
  const told = [one, other].map(({ made: { externalId } }) => ({ externalId, status: 'paid' }) as const)
  const news = await newsOf(bench, one, told)
  same(
    news.map(({ externalId }) => externalId),
    told.map(({ externalId }) => externalId),
    'checkouts',
  )
}

async function survivesGarbage({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open()
  for (const text of garbage) {
    const request = await needed(rig.signed, 'signed')(desk, new TextEncoder().encode(text))
    same(await gateway.webhook?.parse(request, desk.context), [], `news in ${text}`)
  }
}

async function readsSpelling(bench: Bench, spelling: string): Promise<void> {
  const { at: _a, externalId: _e, paymentId: _p, ...expected } = await onlyNews(bench, await bench.make(), 'paid')
  bench.rig.spellings?.[spelling]?.()
  const one = await bench.make()
  const { at: _b, externalId, paymentId, ...found } = await onlyNews(bench, one, 'paid')
  same(found, expected, 'news')
  same(externalId ?? one.made.externalId, one.made.externalId, "the gateway's name of it")
  same(paymentId ?? one.asked.paymentId, one.asked.paymentId, 'our name of it')
}
