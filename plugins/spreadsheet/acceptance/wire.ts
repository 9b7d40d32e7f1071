import { assertEqual, check, expectFailure, skipCase } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { SpreadsheetAdapter } from '../kind.ts'
import type { Sheet } from '../model.ts'
import { assertRows, type Bench, type Draft, KEY, rowsOf, tabWith } from './bench.ts'
import type { Fault, Rig } from './rig.ts'

/** Deadline in milliseconds for a call that is never answered; others have the usual deadline. */
const deadlineMs = 400
const retrySeconds = 2
const unknown = ['ignored', 'lost_answer', 'malformed', 'mumbled', 'error_before'] as const
const reads = ['list', 'tabs', 'headers', 'findRows', 'read'] as const
/** Members whose success has no content. */
const silent: readonly string[] = ['updateRows']

type CalledMember = keyof Rig['calling']
const calls: Readonly<Record<CalledMember, (adapter: SpreadsheetAdapter, desk: Desk, sheet: Sheet) => unknown>> = {
  list: (adapter, { context }) => adapter.list(context),
  create: (adapter, { context }) => adapter.create(context, { title: 'Orders', tab: 'Orders', headers: [] }),
  tabs: (adapter, { context }, { spreadsheetId }) => adapter.tabs(context, spreadsheetId),
  headers: (adapter, { context }, sheet) => adapter.headers(context, sheet),
  writeHeaders: (adapter, { context }, sheet) => adapter.writeHeaders(context, sheet, ['New']),
  append: (adapter, { context }, sheet) => adapter.append(context, sheet, rowsOf(['ord_2', 'Nour'])),
  findRows: (adapter, { context }, sheet) => adapter.findRows(context, sheet, { key: KEY, keys: ['ord_1'] }),
  updateRows: (adapter, { context }, sheet) => adapter.updateRows(context, sheet, rowsOf(['ord_1', 'Amel'])),
  read: (adapter, { context }, sheet) => adapter.read(context, sheet, { from: 2, count: 1 }),
}

/** Cases about faults of the platform. */
export const wireCases = (): Draft[] => [
  ...unknown.map((fault) => ({
    name: `at most one row is appended after ${wordsOf(fault)}, and a search by its key tells the outcome`,
    run: (bench: Bench) => assertAppendedOnce(bench, fault),
  })),
  {
    name: 'every member is unavailable when no answer comes',
    async run(bench) {
      for (const member of Object.keys(calls) as CalledMember[]) await assertUnavailable(bench, member, 'ignored')
    },
  },
  {
    name: 'an answer without meaning is unavailable',
    async run(bench) {
      for (const member of reads) await assertUnavailable(bench, member, 'malformed')
      for (const member of ['list', 'tabs'] as const) await assertUnavailable(bench, member, 'mumbled')
    },
  },
  {
    name: 'over quota, the time to wait is reported and nothing is written',
    async run(bench) {
      const sheet = await tabWith(bench, ['ord_1', 'Lina'])
      for (const member of Object.keys(calls) as CalledMember[]) {
        bench.rig.fail('rate_limited', bench.rig.calling[member])
        const { upstream } = await expectFailure(calls[member](bench.adapter, bench.open(), sheet), ['rate_limited'], member)
        assertEqual(upstream.retryAfterSeconds, retrySeconds, `seconds to wait of ${member}`)
        bench.rig.calm()
      }
      await assertRows(bench, sheet, [['ord_1', 'Lina']])
    },
  },
]

const wordsOf = (fault: Fault) => fault.replace('_', ' ')

async function assertUnavailable(bench: Bench, member: CalledMember, fault: Fault): Promise<void> {
  if (silent.includes(member) && fault === 'mumbled') skipCase('a success of this member has no content')
  const sheet = await tabWith(bench, ['ord_1', 'Lina'])
  bench.rig.fail(fault, bench.rig.calling[member])
  const desk = bench.open(fault === 'ignored' ? { deadlineMs } : {})
  await expectFailure(calls[member](bench.adapter, desk, sheet), ['unavailable'], member)
  bench.rig.calm()
}

/** Checks that an adapter does not repeat a call by itself. */
async function assertAppendedOnce(bench: Bench, fault: Fault): Promise<void> {
  const { adapter, rig, open } = bench
  const sheet = await tabWith(bench, ['ord_1', 'Lina'])
  rig.fail(fault, rig.calling.append)
  const { context } = open(fault === 'ignored' ? { deadlineMs } : {})
  await expectFailure(adapter.append(context, sheet, rowsOf(['ord_2', 'Nour'])), ['unavailable'], 'append')
  rig.calm()
  const standing = (await rig.cells(sheet)).filter(([key]) => key?.value === 'ord_2')
  check(standing.length <= 1, `the row was appended ${standing.length} times`)
  const found = await adapter.findRows(open().context, sheet, { key: KEY, keys: ['ord_2'] })
  assertEqual(found.length, standing.length, 'rows that are found')
}
