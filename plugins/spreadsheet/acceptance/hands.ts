import { assertEqual, expectFailure } from '../../acceptance/checks.ts'
import type { Sheet } from '../model.ts'
import { assertRows, type Bench, type Draft, HEADERS, KEY, readTable, rowsOf, tabWith } from './bench.ts'

/** Cases about changes that users make in the sheet at the same time. */
export const userEditCases = (): Draft[] => [
  {
    name: 'a renamed tab is still found',
    async run(bench) {
      const { adapter, rig, open } = bench
      const sheet = await tabWith(bench)
      const { context } = open()
      for (const [at, title] of ["L'été !A1", '2026', 'طلبات'].entries()) {
        await rig.by(sheet, { does: 'rename', title })
        await adapter.append(context, sheet, rowsOf([`ord_${at}`, title]))
      }
      await assertRows(bench, sheet, [
        ['ord_0', "L'été !A1"],
        ['ord_1', '2026'],
        ['ord_2', 'طلبات'],
      ])
    },
  },
  {
    name: 'values follow their headers after a user inserted a column, which stays unchanged',
    async run(bench) {
      const { adapter, rig, open } = bench
      const sheet = await tabWith(bench, ['ord_1', 'Lina', '0550', 'pending'])
      const { context } = open()
      await rig.by(sheet, { does: 'insertColumn', column: 2, header: 'Notes' })
      await rig.by(sheet, { does: 'write', row: 1, column: 2, text: 'call at six' })
      assertEqual(await adapter.updateRows(context, sheet, rowsOf(['ord_1', null, '0660', 'sent'])), ['ord_1'], 'rows that were written')
      await adapter.append(context, sheet, rowsOf(['ord_2', 'Nour', '0770']))
      assertEqual(
        await readTable(bench, sheet),
        [
          [KEY, 'Customer', 'Notes', 'Phone', 'Status', 'Total'],
          ['ord_1', 'Lina', 'call at six', '0660', 'sent'],
          ['ord_2', 'Nour', '', '0770'],
        ],
        'content of the tab',
      )
    },
  },
  {
    name: 'a moved row is updated at its current position, and a deleted row is not written',
    async run(bench) {
      const { adapter, rig, open } = bench
      const sheet = await tabWith(bench, ['ord_1', 'Lina'], ['ord_2', 'Nour'], ['ord_3', 'Amel'])
      await rig.by(sheet, { does: 'deleteRow', row: 1 })
      await rig.by(sheet, { does: 'insertRow', row: 1, cells: ['mine', 'own'] })
      await rig.by(sheet, { does: 'insertRow', row: 1, cells: ['too', 'own'] })
      const written = await adapter.updateRows(open().context, sheet, rowsOf(['ord_1', 'x'], ['ord_2', 'y'], ['ord_3', 'z']))
      assertEqual(written.toSorted(), ['ord_2', 'ord_3'], 'rows that were written')
      await assertRows(bench, sheet, [
        ['too', 'own'],
        ['mine', 'own'],
        ['ord_2', 'y'],
        ['ord_3', 'z'],
      ])
    },
  },
  ...(['deleteTab', 'lockOut', 'remove'] as const).map((does) => ({
    name: `after ${does} every member fails, and nothing is written`,
    run: async (bench: Bench) => {
      const sheet = await tabWith(bench, ['ord_1', 'Lina'])
      await bench.rig.by(sheet, { does })
      await assertClosed(bench, sheet)
    },
  })),
]

async function assertClosed({ adapter, open }: Bench, sheet: Sheet): Promise<void> {
  const { context } = open()
  const over = ['refused', 'not_found'] as const
  await expectFailure(adapter.append(context, sheet, rowsOf(['ord_2', 'Nour'])), over, 'append')
  await expectFailure(adapter.updateRows(context, sheet, rowsOf(['ord_1', 'Nour'])), over, 'updateRows')
  await expectFailure(adapter.findRows(context, sheet, { key: KEY, keys: ['ord_1'] }), over, 'findRows')
  await expectFailure(adapter.headers(context, sheet), over, 'headers')
  await expectFailure(adapter.writeHeaders(context, sheet, [...HEADERS]), over, 'writeHeaders')
  await expectFailure(adapter.read(context, sheet, { from: 2, count: 1 }), over, 'read')
}
