import { fails, needed, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { arrived, type Bench, isNews, type Made, readOne } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases } from './faults.ts'

const none = 'what is paid is taken at once'

export const captureCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !gateway.capture && none
  return [
    { name: 'money that is held is not paid yet', unless, run: isHeld },
    { name: 'money that is held is taken once', unless, run: isTakenOnce },
    { name: 'money that is held is taken once by many at once', unless, run: isTakenAtOnce },
    { name: 'what nobody paid cannot be taken', unless, run: takesNothing },
    ...faultCases(gateway, {
      member: 'capture',
      unless,
      prepare: async (bench) => {
        const { desk, made } = await held(bench)
        return (deadlineMs) => {
          const options = { settings: desk.context.settings, memory: desk.context.memory }
          const { context } = deadlineMs === undefined ? desk : bench.open({ ...options, deadlineMs })
          return bench.gateway.capture?.(context, made.externalId)
        }
      },
    }),
  ]
}

const holding = ({ rig, open }: Bench) => open({ settings: { ...rig.settings, ...needed(rig.holding, 'holding') } })
const held = (bench: Bench): Promise<Made> => bench.makeSo('authorized', undefined, holding(bench))

async function isHeld(bench: Bench): Promise<void> {
  same((await readOne(bench, await held(bench))).status, 'authorized', 'status')
}

async function isTakenOnce(bench: Bench): Promise<void> {
  const one = await held(bench)
  for (let count = 0; count < 2; count += 1) {
    const news = await bench.gateway.capture?.(one.desk.context, one.made.externalId)
    isNews(news)
    same([news.status, news.amount], ['paid', one.asked.amount], 'status and amount')
  }
  await isPaid(bench, one)
}

async function isTakenAtOnce(bench: Bench): Promise<void> {
  const one = await held(bench)
  await Promise.all([1, 2, 3].map(() => bench.gateway.capture?.(one.desk.context, one.made.externalId)))
  await isPaid(bench, one)
}

async function isPaid(bench: Bench, one: Made): Promise<void> {
  const { status, paid } = await arrived(bench, one.asked.paymentId)
  same([status, paid], ['paid', one.asked.amount], 'status and amount in the books')
  same((await readOne(bench, one)).status, 'paid', 'status')
}

async function takesNothing(bench: Bench): Promise<void> {
  const { desk, made } = await bench.make({}, holding(bench))
  await fails(bench.gateway.capture?.(desk.context, made.externalId), ['refused', 'not_found'], 'taking what nobody paid')
  await fails(bench.gateway.capture?.(desk.context, 'no-such-checkout'), ['not_found', 'refused'], 'taking of nothing')
}
