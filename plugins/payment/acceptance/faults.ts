import { callName } from '../../acceptance/calls.ts'
import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { CalledMember, Fault, Rig } from './rig.ts'

/** Deadline in milliseconds for a call that is never answered. Others have the usual deadline, so that a slow machine fails no case. */
export const deadlineMs = 400
/** Faults without any answer. */
export const silentFaults: readonly Fault[] = ['ignored', 'no_answer']
/** Faults after which the outcome is unknown. */
export const unknownOutcomeFaults: readonly Fault[] = [
  'ignored',
  'no_answer',
  'lost_answer',
  'malformed',
  'mumbled',
  'error_before',
  'error_after',
  'redirected',
]
/** Faults with a complete answer. After a broken connection, the runtime itself repeats the call once. */
const answered: readonly Fault[] = ['error_before', 'error_after', 'redirected']
const retrySeconds = 2

/** Reason to skip cases about calls. */
export const NO_CALLS = 'it makes no calls, so none can fail'
/** Returns the name of a fault as words. */
export const faultName = (fault: Fault) => fault.replace('_', ' ')
/** Returns true if the gateway makes calls. */
export const hasCalls = ({ net }: Pick<PaymentAdapter, 'net'>) => net.length > 0

/** Applies a fault to the calls of a member. */
export const applyFault = (rig: Rig, fault: Fault, member: CalledMember) =>
  requireMember(rig.fail, 'fail')(fault, requireMember(rig.calls?.[member], `calls.${member}`))

interface Case {
  readonly member: CalledMember
  /** Prepares a checkout; then the returned function calls the member, which must fail. */
  readonly prepare: (bench: Bench) => Promise<(deadlineMs?: number) => unknown>
  readonly unless?: string | false
  /** False if a success has no content, so that an answer without meaning is no fault. */
  readonly answers?: boolean
}

/** Builds the cases of one member for all faults. */
export const faultCases = (gateway: PaymentAdapter, { member, prepare, unless, answers = true }: Case): Draft[] => {
  const reason = (!hasCalls(gateway) && NO_CALLS) || unless
  const concerning = answers ? unknownOutcomeFaults : unknownOutcomeFaults.filter((fault) => fault !== 'malformed' && fault !== 'mumbled')
  return [
    ...concerning.map((fault) => ({
      name: `${member} is unavailable after: ${faultName(fault)}`,
      unless: reason,
      run: async (bench: Bench) => {
        const call = await prepare(bench)
        const before = (await bench.rig.seen('')).calls.length
        applyFault(bench.rig, fault, member)
        await expectFailure(call(silentFaults.includes(fault) ? deadlineMs : undefined), ['unavailable'], member)
        if (answered.includes(fault)) await assertCalledOnce(bench, before, member)
        if (fault === 'redirected') await assertNotFollowed(bench, before)
      },
    })),
    {
      name: `${member} over quota reports the time to wait`,
      unless: reason,
      run: async (bench) => {
        const call = await prepare(bench)
        const before = (await bench.rig.seen('')).calls.length
        applyFault(bench.rig, 'rate_limited', member)
        const { upstream } = await expectFailure(call(), ['rate_limited'], member)
        assertEqual(upstream.retryAfterSeconds, retrySeconds, 'seconds to wait')
        await assertCalledOnce(bench, before, member)
      },
    },
  ]
}

/**
 * Checks that the adapter does not repeat a failed call. The server repeats it when it is time; a repetition by the adapter wastes quota
 * and may do twice what should be done once.
 */
async function assertCalledOnce({ rig }: Bench, before: number, member: CalledMember): Promise<void> {
  const pattern = new RegExp(requireMember(rig.calls?.[member], `calls.${member}`))
  const matching = (await rig.seen('')).calls.slice(before).filter((call) => pattern.test(callName(call)))
  check(matching.length <= 1, `a failed call must not be repeated by the adapter, but it was made ${matching.length} times`)
}

/** Target of the redirects, on the same host. */
const ELSEWHERE = '/elsewhere'

async function assertNotFollowed({ rig }: Bench, before: number): Promise<void> {
  const { calls } = await rig.seen('')
  check(!calls.slice(before).some(({ path }) => path.startsWith(ELSEWHERE)), 'a redirect is not followed')
}
