import { nameOf } from '../../acceptance/calls.ts'
import { check, fails, needed, same } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Asked, Fault, Rig } from './rig.ts'

/** For what never answers; everything else has the usual time, so that a slow machine fails nobody. */
export const deadlineMs = 400
export const silent: readonly Fault[] = ['ignored', 'no_answer']
/** What leaves nobody knowing. */
export const unknown: readonly Fault[] = [
  'ignored',
  'no_answer',
  'lost_answer',
  'malformed',
  'mumbled',
  'error_before',
  'error_after',
  'redirected',
]
/** What comes as an answer. A connection that breaks off is tried once more by the runtime itself. */
const answered: readonly Fault[] = ['error_before', 'error_after', 'redirected']
const retrySeconds = 2

export const noWire = 'it calls nobody, so nothing is lost on the way'
export const wordsOf = (fault: Fault) => fault.replace('_', ' ')
export const callsSomebody = ({ net }: Pick<PaymentAdapter, 'net'>) => net.length > 0

/** Makes the calls of a member misbehave. */
export const provoke = (rig: Rig, fault: Fault, member: Asked) =>
  needed(rig.fail, 'fail')(fault, needed(rig.calls?.[member], `calls.${member}`))

interface Case {
  readonly member: Asked
  /** Brings the checkout to where the member can be asked; then the member is asked, which has to fail. */
  readonly prepare: (bench: Bench) => Promise<(deadlineMs?: number) => unknown>
  readonly unless?: string | false
  /** What an answer that says nothing leaves unknown; false where a success has nothing to say. */
  readonly answers?: boolean
}

/** One member under everything that can go wrong on the wire. */
export const faultCases = (gateway: PaymentAdapter, { member, prepare, unless, answers = true }: Case): Draft[] => {
  const reason = (!callsSomebody(gateway) && noWire) || unless
  const concerning = answers ? unknown : unknown.filter((fault) => fault !== 'malformed' && fault !== 'mumbled')
  return [
    ...concerning.map((fault) => ({
      name: `${member} is unavailable after: ${wordsOf(fault)}`,
      unless: reason,
      run: async (bench: Bench) => {
        const ask = await prepare(bench)
        const before = (await bench.rig.seen('')).calls.length
        provoke(bench.rig, fault, member)
        await fails(ask(silent.includes(fault) ? deadlineMs : undefined), ['unavailable'], member)
        if (answered.includes(fault)) await isAskedOnce(bench, before, member)
        if (fault === 'redirected') await isNotFollowed(bench, before)
      },
    })),
    {
      name: `${member} over quota says for how long`,
      unless: reason,
      run: async (bench) => {
        const ask = await prepare(bench)
        const before = (await bench.rig.seen('')).calls.length
        provoke(bench.rig, 'rate_limited', member)
        const { upstream } = await fails(ask(), ['rate_limited'], member)
        same(upstream.retryAfterSeconds, retrySeconds, 'seconds to wait')
        await isAskedOnce(bench, before, member)
      },
    },
  ]
}

/** The server asks again when it is time: an adapter that asks again by itself uses up the quota, and may do twice what was done once. */
async function isAskedOnce({ rig }: Bench, before: number, member: Asked): Promise<void> {
  const pattern = new RegExp(needed(rig.calls?.[member], `calls.${member}`))
  const asked = (await rig.seen('')).calls.slice(before).filter((call) => pattern.test(nameOf(call)))
  check(asked.length <= 1, `a call that failed is not made again by itself, and was made ${asked.length} times`)
}

/** Where redirects lead, on the same host: whoever follows them asks for this. */
const ELSEWHERE = '/elsewhere'

async function isNotFollowed({ rig }: Bench, before: number): Promise<void> {
  const { calls } = await rig.seen('')
  check(!calls.slice(before).some(({ path }) => path.startsWith(ELSEWHERE)), 'a redirect is not followed')
}
