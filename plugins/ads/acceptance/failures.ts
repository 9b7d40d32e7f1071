import { assertEqual, expectFailure } from '../../acceptance/checks.ts'
import type { FailureReason } from '../../adapter.ts'
import { type Bench, type Draft, event } from './draft.ts'
import type { CalledMember, Fault } from './rig.ts'

const DEADLINE_MS = 400
const reasons: Readonly<Record<Fault, FailureReason>> = {
  ignored: 'unavailable',
  error: 'unavailable',
  malformed: 'unavailable',
  mumbled: 'unavailable',
  rate_limited: 'rate_limited',
  unauthorized: 'unauthorized',
}
const DAY = '2026-11-01'

const calls: Readonly<Record<CalledMember, (bench: Bench, context: ReturnType<Bench['open']>['context']) => unknown>> = {
  campaigns: ({ adapter, rig }, context) => adapter.campaigns(context, { accountId: rig.account.id, limit: 5 }),
  insights: ({ adapter, rig }, context) => adapter.insights(context, { accountId: rig.account.id, from: DAY, to: DAY }),
  sendEvents: ({ adapter, rig }, context) =>
    adapter.sendEvents(context, { pixelId: rig.pixelId, events: [event(adapter), event(adapter)] }),
}

const entries = <K extends string, V>(record: Readonly<Record<K, V>>) => Object.entries(record) as [K, V][]

/** Cases about failures of the platform. */
export const failureCases = (): Draft[] =>
  entries(calls).flatMap(([member, call]) =>
    entries(reasons).map(([fault, reason]) => ({
      name: `${member} fails as ${reason} if the platform's answer is ${fault}`,
      async run(bench: Bench) {
        const before = (await bench.rig.seen()).length
        bench.rig.fail(fault, bench.rig.patterns[member])
        const { context } = bench.open({ deadlineMs: fault === 'ignored' ? DEADLINE_MS : 5_000 })
        await expectFailure(
          Promise.resolve().then(() => call(bench, context)),
          [reason],
          member,
        )
        if (reason !== 'unavailable') assertEqual((await bench.rig.seen()).length, before, 'events that arrived')
      },
    })),
  )
