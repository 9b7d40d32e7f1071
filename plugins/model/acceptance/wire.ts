import { assertEqual, check, expectFailure } from '../../acceptance/checks.ts'
import type { FailureReason } from '../../adapter.ts'
import { type Bench, collect, type Draft, userMessage } from './bench.ts'
import type { Fault } from './rig.ts'

const PATIENCE_MS = 5_000
const SHORT_MS = 400

/** Expected reason of each fault, and whether parts may come before it. */
const expected: Readonly<Record<Exclude<Fault, 'hang'>, { readonly reasons: readonly FailureReason[]; readonly begun: boolean }>> = {
  rate_limited: { reasons: ['rate_limited'], begun: false },
  error_before: { reasons: ['unavailable'], begun: false },
  error_inside: { reasons: ['unavailable', 'refused'], begun: true },
  cut: { reasons: ['unavailable'], begun: true },
}

const attempt = ({ adapter, rig, open }: Bench, deadlineMs?: number) => {
  rig.say?.({ pieces: ['one ', 'two ', 'three ', 'four'] })
  const { context } = open(deadlineMs === undefined ? {} : { deadlineMs })
  return collect(adapter.complete(context, { model: rig.models.text, messages: [userMessage('Count.')] }))
}

const faultCase = (fault: Exclude<Fault, 'hang'>): Draft => ({
  name: `the fault ${fault.replace('_', ' ')} is reported with its reason, and no end is invented`,
  skip: ({ rig }) => !rig.faults.includes(fault) && 'the simulator has no such fault',
  async run(bench) {
    bench.rig.fail(fault)
    const { parts, error } = await attempt(bench)
    check(error !== undefined, 'it fails')
    const failure = await expectFailure(Promise.reject(error), expected[fault].reasons, fault)
    assertEqual(parts.filter(({ type }) => type === 'end').length, 0, 'ends')
    if (!expected[fault].begun) assertEqual(parts.length, 0, 'parts')
    if (fault === 'rate_limited') check((failure.upstream.retryAfterSeconds ?? 0) >= 1, 'it says how long to wait')
    bench.rig.calm()
    assertEqual((await attempt(bench)).error, undefined, 'afterwards')
  },
})

/** Cases about faults of the source. */
export const wireCases = (): Draft[] => [
  ...(Object.keys(expected) as Exclude<Fault, 'hang'>[]).map(faultCase),
  {
    name: 'an answer that stops ends at the deadline, and the source sees the disconnect',
    skip: ({ rig }) => !rig.faults.includes('hang') && 'the simulator has no such fault',
    async run(bench) {
      const { rig } = bench
      const before = rig.left?.() ?? 0
      rig.fail('hang')
      const began = performance.now()
      const { parts, error } = await attempt(bench, SHORT_MS)
      check(error !== undefined, 'it fails')
      check(
        parts.some(({ type }) => type === 'text'),
        'what had been said has come',
      )
      check(performance.now() - began < PATIENCE_MS, 'in time')
      for (const until = Date.now() + PATIENCE_MS; rig.left && rig.left() === before && Date.now() < until; ) await Bun.sleep(20)
      if (rig.left) check(rig.left() > before, 'the source saw the disconnect')
    },
  },
]
