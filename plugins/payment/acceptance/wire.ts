import { nameOf } from '../../acceptance/calls.ts'
import { check, needed, same, unique } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import { callsSomebody } from './faults.ts'

const shiftMs = 3_600_000

/** What goes over the wire, as the other side recorded it. */
export const wireCases = (gateway: PaymentAdapter): Draft[] => {
  const unless = !callsSomebody(gateway) && 'it calls nobody'
  return [
    { name: 'its rate windows are no wider than the gateway’s', unless, run: windowsAreKept },
    { name: 'times in its calls are those of its clock', unless, run: followsItsClock },
    { name: 'a body says that it is JSON', unless, run: saysWhatItSends },
    { name: 'reading makes nothing and takes nothing', unless, run: onlyReads },
  ]
}

/** Most calls that the definition lets through within so many seconds. */
const mostWithin = ({ rateWindows }: PaymentAdapter, seconds: number) =>
  Math.min(...rateWindows.map((window) => window.calls * Math.ceil(seconds / window.seconds)))

function windowsAreKept({ gateway, rig }: Bench): void {
  for (const { calls, seconds } of needed(rig.limits, 'limits').windows) {
    const most = mostWithin(gateway, seconds)
    check(most <= calls, `the gateway takes ${calls} calls in ${seconds} s; the definition lets ${most} through`)
  }
  unique(
    gateway.rateWindows.map(({ seconds }) => String(seconds)),
    'lengths of the windows',
  )
}

async function followsItsClock({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open({ now: () => Date.now() + shiftMs })
  // The other side may not take it: what counts is the time that it says, which is looked at after every case.
  await Promise.resolve(gateway.createCheckout(desk.context, rig.checkout())).catch(() => {})
}

async function saysWhatItSends({ make, rig }: Bench): Promise<void> {
  const before = (await rig.seen('')).calls.length
  await make()
  const { calls } = await rig.seen('')
  const wordless = calls
    .slice(before)
    .filter(({ body, headers }) => /^\s*[[{]/.test(body) && !/\bjson\b/i.test(headers['content-type'] ?? ''))
  same(wordless.map(nameOf), [], 'calls with JSON that do not say so')
}

/** However often it is asked, the books are what they were. */
async function onlyReads({ make, gateway, rig }: Bench): Promise<void> {
  const { desk, asked, made } = await make()
  const { calls: _, ...before } = await rig.seen(asked.paymentId)
  for (let count = 0; count < 3; count += 1) await gateway.read(desk.context, made.externalId)
  const { calls: __, ...after } = await rig.seen(asked.paymentId)
  same(after, before, 'the books of the other side')
}
