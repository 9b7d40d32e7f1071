import { callName } from '../../acceptance/calls.ts'
import { assertEqual, assertUnique, check, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import { hasCalls } from './faults.ts'

const shiftMs = 3_600_000

/** Cases about the calls as the simulator recorded them. */
export const wireCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !hasCalls(gateway) && 'it makes no calls'
  return [
    { name: 'its rate windows are within those of the gateway', unless, run: respectsWindows },
    { name: 'times in its calls come from its clock', unless, run: usesItsClock },
    { name: 'a JSON body has a JSON content type', unless, run: declaresContentType },
    { name: 'reading changes nothing', unless, run: onlyReads },
  ]
}

/** Returns the maximum number of calls that the definition allows within a time. */
const mostWithin = ({ rateWindows }: PaymentAdapter, seconds: number) =>
  Math.min(...rateWindows.map((window) => window.calls * Math.ceil(seconds / window.seconds)))

function respectsWindows({ gateway, rig }: Bench): void {
  for (const { calls, seconds } of requireMember(rig.limits, 'limits').windows) {
    const most = mostWithin(gateway, seconds)
    check(most <= calls, `the gateway allows ${calls} calls in ${seconds} s; the definition allows ${most}`)
  }
  assertUnique(
    gateway.rateWindows.map(({ seconds }) => String(seconds)),
    'lengths of the windows',
  )
}

async function usesItsClock({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open({ now: () => Date.now() + shiftMs })
  // The gateway may reject the call. Only the time in it counts, which is checked after every case.
  await Promise.resolve(gateway.createCheckout(desk.context, rig.checkout())).catch(() => {})
}

async function declaresContentType({ make, rig }: Bench): Promise<void> {
  const before = (await rig.seen('')).calls.length
  await make()
  const { calls } = await rig.seen('')
  const undeclared = calls
    .slice(before)
    .filter(({ body, headers }) => /^\s*[[{]/.test(body) && !/\bjson\b/i.test(headers['content-type'] ?? ''))
  assertEqual(undeclared.map(callName), [], 'calls with JSON but without its content type')
}

/** Checks that repeated reads leave the gateway's records unchanged. */
async function onlyReads({ make, gateway, rig }: Bench): Promise<void> {
  const { desk, asked, made } = await make()
  const { calls: _, ...before } = await rig.seen(asked.paymentId)
  for (let count = 0; count < 3; count += 1) await gateway.read(desk.context, made.externalId)
  const { calls: __, ...after } = await rig.seen(asked.paymentId)
  assertEqual(after, before, 'records of the gateway')
}
