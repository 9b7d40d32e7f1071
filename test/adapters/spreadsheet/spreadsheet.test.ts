import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import airtable from '../../../adapters/spreadsheet/airtable/index.ts'
import googleSheets from '../../../adapters/spreadsheet/google-sheets/index.ts'
import { accept } from '../../../plugins/acceptance/accept.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import { acceptance, type Rig } from '../../../plugins/spreadsheet/acceptance.ts'
import { type SpreadsheetAdapter, spreadsheet } from '../../../plugins/spreadsheet/kind.ts'
import template from '../../../plugins/spreadsheet/template/index.ts'
import { rig as templateRig } from '../../../plugins/spreadsheet/template/rig.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { rig as airtableRig } from './airtable/rig.ts'
import { rig as googleRig } from './google-sheets/rig.ts'

const adaptersFolder = join(import.meta.dir, '../../../adapters/spreadsheet')
const rigs: Readonly<Record<string, { readonly adapter: SpreadsheetAdapter; readonly rigOf: (adapter: SpreadsheetAdapter) => Rig }>> = {
  airtable: { adapter: airtable, rigOf: airtableRig },
  'google-sheets': { adapter: googleSheets, rigOf: googleRig },
}

test('every spreadsheet in the folder has another side to be tested against', () => {
  const folders = [...new Bun.Glob('*/index.ts').scanSync({ cwd: adaptersFolder })].map((file) => file.split('/')[0]!).sort()
  expect(folders).toEqual(Object.keys(rigs))
})

let sandbox: Sandbox | undefined
afterAll(() => sandbox?.close())
async function sandboxed(folder: string): Promise<SpreadsheetAdapter> {
  const report = (_: unknown, words: unknown) => console.error(words)
  sandbox ??= openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report })
  const bundle = await bundleAdapter(join(adaptersFolder, folder), { within: true })
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((one) => isAdapterOfKind(spreadsheet, one))
  if (!adapter) throw new Error(`${folder} has no spreadsheet.`)
  return adapter
}

describe.each(Object.entries(rigs))('%s', (folder, { adapter, rigOf }) => {
  const failed = async (of: SpreadsheetAdapter) =>
    (await accept(acceptance, of, rigOf)).results.filter(({ outcome }) => outcome === 'failed')

  test('passes the acceptance suite in process', async () => {
    expect(await failed(adapter)).toEqual([])
  }, 60_000)

  test('passes it in a process of its own', async () => {
    expect(await failed(await sandboxed(folder))).toEqual([])
  }, 60_000)
})

test('template: the spreadsheet that `adapter new` writes passes the acceptance suite', async () => {
  expect((await accept(acceptance, template, templateRig)).results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
}, 60_000)

describe('the suite catches', () => {
  type Way = (context: Parameters<SpreadsheetAdapter['list']>[0]) => Parameters<SpreadsheetAdapter['list']>[0]
  /** The same adapter, whose calls are changed on their way. */
  const through = (change: (url: string) => string): SpreadsheetAdapter => {
    const by: Way = (context) => ({ ...context, fetch: (url, init) => context.fetch(change(url), init) })
    return {
      ...googleSheets,
      append: (context, ...given) => googleSheets.append(by(context), ...given),
      updateRows: (context, ...given) => googleSheets.updateRows(by(context), ...given),
    }
  }
  const defects: readonly (readonly [what: string, adapter: SpreadsheetAdapter, caught: string])[] = [
    [
      'one that lets texts be run',
      through((url) => url.replace('valueInputOption=RAW', 'valueInputOption=USER_ENTERED')),
      'a text that looks like a formula or a number stays a text, also when it replaces another',
    ],
    [
      'one that asks again what may have been done',
      {
        ...googleSheets,
        append: async (context, ...given) =>
          Promise.resolve(googleSheets.append(context, ...given)).catch(() => googleSheets.append(context, ...given)),
      },
      'at most one row is appended after lost answer, and a search by its key tells the outcome',
    ],
    [
      'one that makes what it does not find',
      {
        ...googleSheets,
        updateRows: async (context, sheet, rows) => {
          await googleSheets.append(context, sheet, rows)
          return googleSheets.updateRows(context, sheet, rows)
        },
      },
      'a moved row is updated at its current position, and a deleted row is not written',
    ],
    [
      'one that knows tabs by their titles',
      {
        ...googleSheets,
        append: async (context, sheet, rows) => {
          const tabs = await googleSheets.tabs(context, sheet.spreadsheetId)
          const tab = tabs.find(({ title }) => title === 'Sheet1')
          return googleSheets.append(context, { ...sheet, tabId: tab?.id ?? 'none' }, rows)
        },
      },
      'a renamed tab is still found',
    ],
  ]
  test.each(defects)('%s', async (_, adapter, caught) => {
    const side = googleRig(adapter)
    afterAll(() => side.close?.())
    const found = acceptance(adapter, side).find(({ name }) => name === caught)
    if (!found) throw new Error(`There is no case "${caught}" to run.`)
    await expect(found.run()).rejects.toThrow()
  })
})

describe("Google's ways", () => {
  const side = googleRig(googleSheets)
  afterAll(() => side.close?.())
  const { google } = side

  test('a quota that Drive tells with 403 is a quota, and the second page of files is read', async () => {
    for (let count = 0; count < 101; count += 1) google.make(`Book ${count}`)
    google.state.driveQuota = 1
    const { context } = side.open()
    await expect((async () => googleSheets.list(context))()).rejects.toMatchObject({ reason: 'rate_limited' })
    expect(await googleSheets.list(context)).toHaveLength(101)
  })

  test('a tab that is renamed between two calls is asked under its new title', async () => {
    const { id } = google.make('Book', [['Order'], ['ord_1']])
    const { context } = side.open()
    const once = { done: false }
    const renaming = {
      ...context,
      fetch: async (...[url, init]: Parameters<typeof context.fetch>) => {
        const answer = await context.fetch(url, init)
        if (!once.done) google.tab(id).title = 'New'
        once.done = true
        return answer
      },
    }
    const sheet = { spreadsheetId: id, tabId: '0' }
    expect(await googleSheets.findRows(renaming, sheet, { key: 'Order', keys: ['ord_1'] })).toEqual([{ key: 'ord_1', row: 2 }])
  })

  /** A tab with so many rows and columns. */
  const cut = (rows: number, columns: number, ...lines: string[][]) => {
    const { id } = google.make('Book', lines)
    const tab = google.tab(id)
    tab.grid = { rows, columns }
    return { tab, sheet: { spreadsheetId: id, tabId: '0' }, context: side.open().context }
  }

  test('a tab is read to its end, and behind that there is nothing', async () => {
    const { sheet, context } = cut(3, 2, ['Order', 'Name'], ['ord_1', 'Lina'], ['', 'Nour'])
    const row = { row: 3, values: ['', 'Nour'] }
    expect(await googleSheets.read(context, sheet, { from: 2, count: 100 })).toEqual([{ row: 2, values: ['ord_1', 'Lina'] }, row])
    expect(await googleSheets.read(context, sheet, { from: 3, count: 1 })).toEqual([row])
    expect(await googleSheets.read(context, sheet, { from: 102, count: 100 })).toEqual([])
    const rows = [3, 4].map((at) => ({ row: at, key: `row_${at}` }))
    expect(await googleSheets.nameRows!(context, sheet, { key: 'Order', rows })).toEqual(['row_3'])
  })

  test('a tab of nothing but headers has no rows, and takes some', async () => {
    const { tab, sheet, context } = cut(1, 1, ['Order'])
    const wanted = { key: 'Order', keys: ['ord_1'] }
    expect(await googleSheets.findRows(context, sheet, wanted)).toEqual([])
    expect(await googleSheets.updateRows(context, sheet, { key: 'Order', columns: [], rows: [{ key: 'ord_1', values: [] }] })).toEqual([])
    expect(await googleSheets.read(context, sheet, { from: 2, count: 5 })).toEqual([])
    await googleSheets.append(context, sheet, { key: 'Order', columns: [], rows: [{ key: 'ord_1', values: [] }] })
    expect(await googleSheets.findRows(context, sheet, wanted)).toEqual([{ key: 'ord_1', row: 2 }])
    expect(await googleSheets.writeHeaders(context, sheet, ['Order', 'Name', 'Phone'])).toEqual(['Order', 'Name', 'Phone'])
    expect(tab.grid).toEqual({ rows: 2, columns: 3 })
  })

  test('rows that are taken away between two calls are not asked for again', async () => {
    const { tab, sheet, context } = cut(200, 1, ['Order'], ['ord_1'])
    const once = { done: false }
    const cutting = {
      ...context,
      fetch: async (...[url, init]: Parameters<typeof context.fetch>) => {
        const answer = await context.fetch(url, init)
        if (!once.done) tab.grid = { rows: 2, columns: 1 }
        once.done = true
        return answer
      },
    }
    expect(await googleSheets.read(cutting, sheet, { from: 2, count: 100 })).toEqual([{ row: 2, values: ['ord_1'] }])
  })
})
