import { check, fails, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus } from '../model.ts'
import { arrived, type Bench, readOne } from './bench.ts'
import type { Draft } from './draft.ts'
import { faultCases } from './faults.ts'

const none = 'its checkouts cannot be closed'
const closed: readonly CheckoutStatus[] = ['expired', 'cancelled', 'failed']

export const closingCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !gateway.expire && none
  return [
    { name: 'a checkout that was closed cannot be paid', unless, run: isClosed },
    { name: 'a checkout is closed as often as it is asked for', unless, run: isClosedAgain },
    { name: 'what is paid is not closed', unless, run: staysPaid },
    { name: 'what was never made cannot be closed', unless, run: isNotFound },
    ...faultCases(gateway, {
      member: 'expire',
      unless,
      answers: false,
      prepare: async (bench) => {
        const { desk, made } = await bench.make()
        return (deadlineMs) => {
          const { context } = deadlineMs === undefined ? desk : bench.open({ memory: desk.context.memory, deadlineMs })
          return bench.gateway.expire?.(context, made.externalId)
        }
      },
    }),
  ]
}

async function isClosed(bench: Bench): Promise<void> {
  const one = await bench.make()
  await bench.gateway.expire?.(one.desk.context, one.made.externalId)
  const { status } = await arrived(bench, one.asked.paymentId)
  check(closed.includes(status), `it is ${status} in the books of the other side`)
  same((await readOne(bench, one)).status, status, 'status')
}

async function isClosedAgain(bench: Bench): Promise<void> {
  const one = await bench.make()
  for (let count = 0; count < 2; count += 1) await bench.gateway.expire?.(one.desk.context, one.made.externalId)
  check(closed.includes((await readOne(bench, one)).status), 'it is closed')
}

async function staysPaid(bench: Bench): Promise<void> {
  const one = await bench.makeSo('paid')
  await fails(bench.gateway.expire?.(one.desk.context, one.made.externalId), ['refused'], 'closing what is paid')
  same((await readOne(bench, one)).status, 'paid', 'status')
}

async function isNotFound({ gateway, open }: Bench): Promise<void> {
  await fails(gateway.expire?.(open().context, 'no-such-checkout'), ['not_found', 'refused'], 'closing of nothing')
}
