import { assertEqual, check, expectFailure } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus } from '../model.ts'
import { type Bench, findRecordedCheckout, readCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases } from './faults.ts'

const none = 'its checkouts cannot be closed'
const closed: readonly CheckoutStatus[] = ['expired', 'cancelled', 'failed']

/** Cases about closing checkouts. */
export const closingCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !gateway.expire && none
  return [
    { name: 'a closed checkout cannot be paid', unless, run: isClosed },
    { name: 'closing a closed checkout succeeds', unless, run: isClosedAgain },
    { name: 'a paid checkout cannot be closed', unless, run: staysPaid },
    { name: 'an unknown checkout cannot be closed', unless, run: isNotFound },
    ...faultCases(gateway, {
      member: 'expire',
      unless,
      answers: false,
      prepare: async (bench) => {
        const { desk, made } = await bench.make()
        return (deadlineMs) => {
          const { context } = deadlineMs === undefined ? desk : bench.open({ storage: desk.context.storage, deadlineMs })
          return bench.gateway.expire?.(context, made.externalId)
        }
      },
    }),
  ]
}

async function isClosed(bench: Bench): Promise<void> {
  const one = await bench.make()
  await bench.gateway.expire?.(one.desk.context, one.made.externalId)
  const { status } = await findRecordedCheckout(bench, one.asked.paymentId)
  check(closed.includes(status), `it is ${status} at the gateway`)
  assertEqual((await readCheckout(bench, one)).status, status, 'status')
}

async function isClosedAgain(bench: Bench): Promise<void> {
  const one = await bench.make()
  for (let count = 0; count < 2; count += 1) await bench.gateway.expire?.(one.desk.context, one.made.externalId)
  check(closed.includes((await readCheckout(bench, one)).status), 'it is closed')
}

async function staysPaid(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await expectFailure(bench.gateway.expire?.(one.desk.context, one.made.externalId), ['refused'], 'closing a paid checkout')
  assertEqual((await readCheckout(bench, one)).status, 'paid', 'status')
}

async function isNotFound({ gateway, open }: Bench): Promise<void> {
  await expectFailure(gateway.expire?.(open().context, 'no-such-checkout'), ['not_found', 'refused'], 'closing an unknown checkout')
}
