import { assertEqual, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import { assertPaymentState, type Bench, type CreatedCheckout, findRecordedCheckout, readCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases } from './faults.ts'

const none = 'payments are captured immediately'

/** Cases about authorized payments and their capture. */
export const captureCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !gateway.capture && none
  return [
    { name: 'an authorized payment is not paid yet', unless, run: staysAuthorized },
    { name: 'an authorized payment is captured once', unless, run: capturesOnce },
    { name: 'an authorized payment is captured once by concurrent calls', unless, run: capturesOnceConcurrently },
    { name: 'an unpaid checkout cannot be captured', unless, run: capturesNothing },
    ...faultCases(gateway, {
      member: 'capture',
      unless,
      prepare: async (bench) => {
        const { desk, made } = await authorize(bench)
        return (deadlineMs) => {
          const options = { settings: desk.context.settings, storage: desk.context.storage }
          const { context } = deadlineMs === undefined ? desk : bench.open({ ...options, deadlineMs })
          return bench.gateway.capture?.(context, made.externalId)
        }
      },
    }),
  ]
}

const openHolding = ({ rig, open }: Bench) => open({ settings: { ...rig.settings, ...requireMember(rig.holding, 'holding') } })
const authorize = (bench: Bench): Promise<CreatedCheckout> => bench.makeSo('authorized', undefined, openHolding(bench))

async function staysAuthorized(bench: Bench): Promise<void> {
  assertEqual((await readCheckout(bench, await authorize(bench))).status, 'authorized', 'status')
}

async function capturesOnce(bench: Bench): Promise<void> {
  const one = await authorize(bench)
  for (let count = 0; count < 2; count += 1) {
    const news = await bench.gateway.capture?.(one.desk.context, one.made.externalId)
    assertPaymentState(news)
    assertEqual([news.status, news.amount], ['paid', one.asked.amount], 'status and amount')
  }
  await isPaid(bench, one)
}

async function capturesOnceConcurrently(bench: Bench): Promise<void> {
  const one = await authorize(bench)
  await Promise.all([1, 2, 3].map(() => bench.gateway.capture?.(one.desk.context, one.made.externalId)))
  await isPaid(bench, one)
}

async function isPaid(bench: Bench, one: CreatedCheckout): Promise<void> {
  const { status, paid } = await findRecordedCheckout(bench, one.asked.paymentId)
  assertEqual([status, paid], ['paid', one.asked.amount], 'status and amount at the gateway')
  assertEqual((await readCheckout(bench, one)).status, 'paid', 'status')
}

async function capturesNothing(bench: Bench): Promise<void> {
  const { desk, made } = await bench.make({}, openHolding(bench))
  await expectFailure(bench.gateway.capture?.(desk.context, made.externalId), ['refused', 'not_found'], 'capture of an unpaid checkout')
  await expectFailure(bench.gateway.capture?.(desk.context, 'no-such-checkout'), ['not_found', 'refused'], 'capture of an unknown checkout')
}
