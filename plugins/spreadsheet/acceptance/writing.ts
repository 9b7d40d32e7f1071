import { assertEqual, check, expectFailure, skipCase } from '../../acceptance/checks.ts'
import { assertRows, type Bench, type Draft, HEADERS, KEY, readTable, rowsOf, tabWith } from './bench.ts'

/** Texts that a spreadsheet would run or convert if a user typed them. */
const odd = [
  '=IMPORTXML("https://x.example")',
  '+213550123456',
  '-1+1',
  '@SUM(A1)',
  '0550123456',
  '2026-11-23',
  'TRUE',
  "'quoted",
  '  ',
  '👕 قميص',
]
const many = 120
/** More rows than fit on one page of any platform. */
const MORE = 230
/** More columns than the alphabet has letters. */
const WIDE = 30

/** Cases about headers, and about appended rows under them. */
const headerCases: readonly Draft[] = [
  {
    name: 'an empty tab has no headers; written headers are there, none twice',
    async run({ adapter, rig, open }) {
      const [sheet, { context }] = [await rig.make([]), open()]
      assertEqual(await adapter.headers(context, sheet), [], 'headers')
      assertEqual(await adapter.writeHeaders(context, sheet, [...HEADERS]), HEADERS, 'headers that were written')
      assertEqual(await adapter.writeHeaders(context, sheet, [' order ', 'City']), [...HEADERS, 'City'], 'headers that were added')
      assertEqual(await adapter.headers(context, sheet), [...HEADERS, 'City'], 'headers')
    },
  },
  {
    name: 'appended rows follow the existing ones, each value under its header',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench, ['by hand', 'Nour'])
      const { context } = open()
      await adapter.append(context, sheet, rowsOf(['ord_1', 'Lina', '+213550123456', 'pending', 2500], ['ord_2', null, '', 'pending', 0.5]))
      await adapter.append(context, sheet, { key: KEY, columns: ['Total', 'Nowhere'], rows: [{ key: 'ord_3', values: [7, 'lost'] }] })
      await assertRows(bench, sheet, [
        ['by hand', 'Nour'],
        ['ord_1', 'Lina', '+213550123456', 'pending', 2500],
        ['ord_2', '', '', 'pending', 0.5],
        ['ord_3', '', '', '', 7],
      ])
    },
  },
  {
    name: 'rows below an empty row stay unchanged',
    async run(bench) {
      const { adapter, rig, open } = bench
      const sheet = await tabWith(bench, ['by hand', 'Nour'], [], ['below', 'Amel'])
      await adapter.append(open().context, sheet, rowsOf(...['ord_1', 'ord_2', 'ord_3'].map((key) => [key, 'Lina'] as const)))
      const keys = (await rig.cells(sheet)).map(([key]) => key?.value).filter((key) => key !== undefined && key !== '')
      assertEqual(keys.toSorted(), [KEY, 'below', 'by hand', 'ord_1', 'ord_2', 'ord_3'].toSorted(), 'keys in the tab')
    },
  },
  {
    name: 'values are under their headers, even with more than 26 columns',
    async run(bench) {
      const { adapter, rig, open } = bench
      const names = [KEY, ...Array.from({ length: WIDE }, (_, at) => `Column ${at}`)]
      const [sheet, { context }] = [await rig.make([names]), open()]
      const last = { key: KEY, columns: names.slice(-1) }
      await adapter.append(context, sheet, { ...last, rows: [{ key: 'ord_1', values: ['first'] }] })
      await adapter.updateRows(context, sheet, { ...last, rows: [{ key: 'ord_1', values: ['second'] }] })
      assertEqual(await readTable(bench, sheet), [names, ['ord_1', ...Array(WIDE - 1).fill(''), 'second']], 'content of the tab')
    },
  },
  {
    name: 'more than 26 headers fit into an existing tab and into a new one',
    async run(bench) {
      const { adapter, open } = bench
      const names = [KEY, ...Array.from({ length: WIDE }, (_, at) => `Column ${at}`)]
      const [sheet, { context }] = [await tabWith(bench, ['ord_1', 'Lina']), open()]
      assertEqual(await adapter.writeHeaders(context, sheet, names), [...HEADERS, ...names.slice(1)], 'headers that were added')
      await adapter.updateRows(context, sheet, { key: KEY, columns: names.slice(-1), rows: [{ key: 'ord_1', values: ['last'] }] })
      assertEqual((await readTable(bench, sheet))[1], ['ord_1', 'Lina', ...Array(WIDE + 2).fill(''), 'last'], 'the row')
      const made = await adapter.create(context, { title: 'Wide', tab: 'Wide', headers: names })
      assertEqual(
        await adapter.headers(context, { spreadsheetId: made.id, tabId: made.tabs[0]?.id ?? '' }),
        names,
        'headers of the new one',
      )
    },
  },
]

/** Cases about the contents and the order of appended rows. */
const appendCases: readonly Draft[] = [
  { name: 'a text that looks like a formula or a number stays a text, also when it replaces another', run: keepTexts },
  {
    name: 'many rows appended at once keep their order',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench)
      const rows = Array.from({ length: many }, (_, at) => [`ord_${at}`, `Customer ${at}`] as const)
      await adapter.append(open().context, sheet, rowsOf(...rows))
      await assertRows(bench, sheet, rows)
    },
  },
]

/** Cases about rows that are found and updated by their keys. */
const keyCases: readonly Draft[] = [
  {
    name: 'rows are found by their exact key; a missing row is not created',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench, ['ord_1', 'Lina', '', 'pending'], ['', 'Nour'], ['ord_10', 'Amel', '', 'pending'])
      const { context } = open()
      assertEqual(
        await adapter.findRows(context, sheet, { key: KEY, keys: ['ord_10', 'ord_2', 'ord_1', 'Nour'] }),
        [
          { key: 'ord_10', row: 4 },
          { key: 'ord_1', row: 2 },
        ],
        'rows',
      )
      const written = await adapter.updateRows(context, sheet, rowsOf(['ord_2', 'Who'], ['ord_10', null, null, 'sent', 30]))
      assertEqual(written, ['ord_10'], 'rows that were written')
      await assertRows(bench, sheet, [
        ['ord_1', 'Lina', '', 'pending'],
        ['', 'Nour'],
        ['ord_10', 'Amel', '', 'sent', 30],
      ])
    },
  },
  {
    name: 'of two rows with the same key, the first one counts',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench, ['ord_1', 'Lina'], ['ord_2', 'Nour'], ['ord_1', 'Amel'])
      const { context } = open()
      assertEqual(await adapter.findRows(context, sheet, { key: KEY, keys: ['ord_1'] }), [{ key: 'ord_1', row: 2 }], 'rows')
      await adapter.updateRows(context, sheet, rowsOf(['ord_1', 'Sara']))
      await assertRows(bench, sheet, [
        ['ord_1', 'Sara'],
        ['ord_2', 'Nour'],
        ['ord_1', 'Amel'],
      ])
    },
  },
  {
    name: 'the last of many rows is found, read and updated',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench, ...Array.from({ length: MORE }, (_, at) => [`ord_${at}`, `Customer ${at}`]))
      const [{ context }, last] = [open(), MORE - 1]
      assertEqual(
        await adapter.findRows(context, sheet, { key: KEY, keys: [`ord_${last}`] }),
        [{ key: `ord_${last}`, row: last + 2 }],
        'rows',
      )
      const [read] = await adapter.read(context, sheet, { from: last + 2, count: 5 })
      assertEqual([read?.row, read?.values[1]], [last + 2, `Customer ${last}`], 'the last row')
      assertEqual(await adapter.updateRows(context, sheet, rowsOf([`ord_${last}`, 'Sara'])), [`ord_${last}`], 'rows that were written')
      assertEqual((await readTable(bench, sheet)).at(-1), [`ord_${last}`, 'Sara'], 'the last row')
    },
  },
  {
    name: 'only null leaves a cell unchanged; an empty text clears it',
    async run(bench) {
      const sheet = await tabWith(bench, ['ord_1', 'Lina', '0550', 'pending', '9'])
      await bench.adapter.updateRows(bench.open().context, sheet, rowsOf(['ord_1', null, '', null, 0]))
      await assertRows(bench, sheet, [['ord_1', 'Lina', '', 'pending', 0]])
    },
  },
]

/** Cases about rows that are read, and about rows without a key. */
const readCases: readonly Draft[] = [
  {
    name: 'rows of different lengths are read from any position',
    async run(bench) {
      const { adapter, open } = bench
      const sheet = await tabWith(bench, ['ord_1'], [], ['ord_3', '', '', 'x'])
      const { context } = open()
      const readTrimmed = async (from: number) =>
        (await adapter.read(context, sheet, { from, count: 50 }))
          .map(({ row, values }) => ({ row, values: values.slice(0, values.findLastIndex((value) => value !== '') + 1) }))
          .filter(({ values }) => values.length > 0)
      const last = { row: 4, values: ['ord_3', '', '', 'x'] }
      assertEqual(await readTrimmed(2), [{ row: 2, values: ['ord_1'] }, last], 'rows')
      assertEqual(await readTrimmed(3), [last], 'rows from the third on')
      assertEqual(await readTrimmed(5), [], 'rows behind the last')
    },
  },
  {
    name: 'rows without a key get one by position, and existing keys stay',
    async run(bench) {
      const { adapter, open } = bench
      if (!adapter.nameRows) skipCase('it has no nameRows')
      const sheet = await tabWith(bench, ['', 'Lina'], ['mine', 'Nour'], ['', 'Amel'])
      const rows = ['row_a', 'row_b', 'row_c'].map((key, at) => ({ row: at + 2, key }))
      assertEqual(await adapter.nameRows(open().context, sheet, { key: KEY, rows }), ['row_a', 'row_c'], 'names that were written')
      await assertRows(bench, sheet, [
        ['row_a', 'Lina'],
        ['mine', 'Nour'],
        ['row_c', 'Amel'],
      ])
      await expectFailure(adapter.nameRows(open().context, sheet, { key: 'Nowhere', rows }), ['refused'], 'nameRows')
    },
  },
  {
    name: 'without the key column nothing is written',
    async run(bench) {
      const { adapter, rig, open } = bench
      const sheet = await rig.make([['Nr', 'Customer']])
      const { context } = open()
      await expectFailure(adapter.append(context, sheet, rowsOf(['ord_1', 'Lina'])), ['refused'], 'append')
      await expectFailure(adapter.updateRows(context, sheet, rowsOf(['ord_1', 'Lina'])), ['refused'], 'updateRows')
      await expectFailure(adapter.findRows(context, sheet, { key: KEY, keys: ['ord_1'] }), ['refused'], 'findRows')
      assertEqual(await readTable(bench, sheet), [['Nr', 'Customer']], 'content of the tab')
    },
  },
]

/** Cases about headers and rows. */
export const writingCases = (): Draft[] => [...headerCases, ...appendCases, ...keyCases, ...readCases]

async function keepTexts(bench: Bench): Promise<void> {
  const { adapter, rig, open } = bench
  const sheet = await tabWith(bench, ['ord_old', 'Lina'])
  const { context } = open()
  await adapter.append(context, sheet, rowsOf(...odd.map((text, at) => [`ord_${at}`, text] as const)))
  for (const text of odd) {
    await adapter.updateRows(context, sheet, rowsOf(['ord_old', text]))
    const cell = (await rig.cells(sheet))[1]?.[1]
    check(cell?.value === text && cell.formula === undefined, `${text} became ${JSON.stringify(cell)} when it replaced another text`)
  }
  for (const [at, text] of odd.entries()) {
    const cell = (await rig.cells(sheet))[at + 2]?.[1]
    check(cell?.value === text && cell.formula === undefined, `${text} became ${JSON.stringify(cell)}`)
  }
}
