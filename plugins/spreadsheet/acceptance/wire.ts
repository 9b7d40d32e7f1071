import { check, fails, same, skipCase } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { SpreadsheetAdapter } from '../kind.ts'
import type { Sheet } from '../model.ts'
import { type Bench, type Draft, KEY, rowsOf, stands, tabWith } from './bench.ts'
import type { Fault, Rig } from './rig.ts'

/** For what never answers; everything else has the usual time. */
const deadlineMs = 400
const retrySeconds = 2
const unknown = ['ignored', 'lost_answer', 'malformed', 'mumbled', 'error_before'] as const
const reads = ['list', 'tabs', 'headers', 'findRows', 'read'] as const
/** Of success they have nothing to say. */
const silent: readonly string[] = ['updateRows']

type Asked = keyof Rig['calling']
const asking: Readonly<Record<Asked, (adapter: SpreadsheetAdapter, desk: Desk, sheet: Sheet) => unknown>> = {
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

export const wireCases = (): Draft[] => [
  ...unknown.map((fault) => ({
    name: `one row at most after ${wordsOf(fault)}, and whether it stands is found out by its key`,
    run: (bench: Bench) => appendsOnce(bench, fault),
  })),
  {
    name: 'what nobody answers is unavailable, whatever is asked',
    async run(bench) {
      for (const member of Object.keys(asking) as Asked[]) await failsSo(bench, member, 'ignored')
    },
  },
  {
    name: 'an answer that says nothing is none',
    async run(bench) {
      for (const member of reads) await failsSo(bench, member, 'malformed')
      for (const member of ['list', 'tabs'] as const) await failsSo(bench, member, 'mumbled')
    },
  },
  {
    name: 'over quota it says for how long, and nothing was written',
    async run(bench) {
      const sheet = await tabWith(bench, ['ord_1', 'Lina'])
      for (const member of Object.keys(asking) as Asked[]) {
        bench.rig.fail('rate_limited', bench.rig.calling[member])
        const { upstream } = await fails(asking[member](bench.adapter, bench.open(), sheet), ['rate_limited'], member)
        same(upstream.retryAfterSeconds, retrySeconds, `seconds to wait of ${member}`)
        bench.rig.calm()
      }
      await stands(bench, sheet, [['ord_1', 'Lina']])
    },
  },
]

const wordsOf = (fault: Fault) => fault.replace('_', ' ')

async function failsSo(bench: Bench, member: Asked, fault: Fault): Promise<void> {
  if (silent.includes(member) && fault === 'mumbled') skipCase('a success of this member has nothing to say')
  const sheet = await tabWith(bench, ['ord_1', 'Lina'])
  bench.rig.fail(fault, bench.rig.calling[member])
  const desk = bench.open(fault === 'ignored' ? { deadlineMs } : {})
  await fails(asking[member](bench.adapter, desk, sheet), ['unavailable'], member)
  bench.rig.calm()
}

/** An adapter asks no second time by itself. */
async function appendsOnce(bench: Bench, fault: Fault): Promise<void> {
  const { adapter, rig, open } = bench
  const sheet = await tabWith(bench, ['ord_1', 'Lina'])
  rig.fail(fault, rig.calling.append)
  const { context } = open(fault === 'ignored' ? { deadlineMs } : {})
  await fails(adapter.append(context, sheet, rowsOf(['ord_2', 'Nour'])), ['unavailable'], 'append')
  rig.calm()
  const standing = (await rig.cells(sheet)).filter(([key]) => key?.value === 'ord_2')
  check(standing.length <= 1, `the row stands ${standing.length} times`)
  const found = await adapter.findRows(open().context, sheet, { key: KEY, keys: ['ord_2'] })
  same(found.length, standing.length, 'rows that are found')
}
