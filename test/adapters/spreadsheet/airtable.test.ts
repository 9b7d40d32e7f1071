import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import airtable from '../../../adapters/spreadsheet/airtable/index.ts'
import type { Sheet } from '../../../plugins/spreadsheet/model.ts'
import type { Base } from './airtable/bases.ts'
import { rig } from './airtable/rig.ts'

const side = rig(airtable)
const { airtable: there } = side
afterAll(() => side.close?.())
beforeEach(() => {
  there.state.perSecond = Number.POSITIVE_INFINITY
})

const KEY = 'Order'
const sheetOf = ({ id, tables }: Base): Sheet => ({ spreadsheetId: id, tabId: tables[0]!.id })
const made = (rows: readonly (readonly string[])[], types?: Readonly<Record<string, string>>) => {
  const base = there.make('Base', rows, types)
  const sheet = sheetOf(base)
  return { base, sheet, table: there.table(sheet.spreadsheetId, sheet.tabId) }
}
const rowsOf = (columns: string[], ...rows: [key: string, ...values: (string | number | null)[]][]) => ({
  key: KEY,
  columns,
  rows: rows.map(([key, ...values]) => ({ key, values })),
})
const many = (count: number) => Array.from({ length: count }, (_, at) => [`ord_${at}`])
/** What was asked while this was done. */
async function asked(work: () => unknown) {
  const before = there.requests.length
  await work()
  return there.requests.slice(before).map(({ method, path, body }) => ({
    call: `${method} ${path.split('/').slice(2).length > 2 && path.includes('meta') ? 'schema' : (path.split('/')[4] ?? 'records')}`,
    json: body === '' ? {} : JSON.parse(body),
  }))
}
const failing = (work: () => unknown) => expect((async () => work())()).rejects
/** The same connection, at whose other side something happens before a call that matches is heard. */
function beforeThe(call: RegExp, happens: () => void) {
  const { context } = side.open()
  const once = { done: false }
  return {
    ...context,
    fetch: (...[url, init]: Parameters<typeof context.fetch>) => {
      if (!once.done && call.test(`${init?.method} ${new URL(url).pathname}`)) {
        once.done = true
        happens()
      }
      return context.fetch(url, init)
    },
  }
}

describe('batches', () => {
  test('have ten records a call, none of them converted', async () => {
    const { sheet } = made([[KEY, 'Name']])
    const { context } = side.open()
    const rows = rowsOf(['Name'], ...many(25).map(([key = '']) => [key, 'Lina'] as [string, string]))
    const calls = [
      ...(await asked(() => airtable.append(context, sheet, rows))),
      ...(await asked(() => airtable.updateRows(context, sheet, rows))),
    ].filter(({ json }) => json.records)
    expect(calls.map(({ json }) => json.records.length)).toEqual([10, 10, 5, 10, 10, 5])
    expect(calls.some(({ json }) => json.typecast)).toBe(false)
  })

  test('as many rows as it says it takes are done well within the time of a call', async () => {
    const rows = many(airtable.rowsAtOnce!)
    const { sheet } = made([[KEY], ...many(2_150)])
    const { context } = side.open()
    const wanted = rowsOf([KEY], ...rows.map(([key = '']) => [key, key] as [string, string]))
    const keys = rows.map(([key = '']) => key)
    const calls = [
      (await asked(() => airtable.updateRows(context, sheet, wanted))).length,
      (await asked(() => airtable.append(context, sheet, wanted))).length,
      (await asked(() => airtable.findRows(context, sheet, { key: KEY, keys: [...keys.slice(1), 'ord_2100'] }))).length,
    ]
    // Of five a second the writer uses four; a call has twenty seconds.
    expect(Math.max(...calls) / 4).toBeLessThan(10)
  })

  test('over quota it waits half a minute, and the outcome of a half-written batch is unknown', async () => {
    const { sheet, table } = made([[KEY]])
    const { context } = side.open()
    there.state.perSecond = 3
    await failing(() => airtable.append(context, sheet, rowsOf([], ...(many(40) as [string][])))).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('Of 40 records 20 were written'),
    })
    await failing(() => airtable.append(context, sheet, rowsOf([], ['ord_x']))).toMatchObject({
      reason: 'rate_limited',
      upstream: { retryAfterSeconds: 30 },
    })
    expect(table.records).toHaveLength(20)
  })

  test('a token that expires halfway leaves the outcome of the batch unknown', async () => {
    const { sheet, table } = made([[KEY]])
    const { context } = side.open()
    const rows = rowsOf([], ...(many(15) as [string][]))
    const ending = {
      ...context,
      fetch: (...[url, init]: Parameters<typeof context.fetch>) => {
        there.state.revoked = table.records.length === 10
        return context.fetch(url, init)
      },
    }
    await failing(() => airtable.append(ending, sheet, rows)).toMatchObject({ reason: 'unavailable' })
    there.state.revoked = false
    expect(await airtable.findRows(context, sheet, { key: KEY, keys: ['ord_9', 'ord_10'] })).toEqual([{ key: 'ord_9', row: 11 }])
  })

  test('records on later pages are found, counted and read; what is not there costs one look', async () => {
    const { sheet } = made([[KEY], ...many(250)])
    const { context } = side.open()
    const wanted = { key: KEY, keys: ['ord_230', 'ord_3', 'ord_999'] }
    expect(await airtable.findRows(context, sheet, wanted)).toEqual([
      { key: 'ord_230', row: 232 },
      { key: 'ord_3', row: 5 },
    ])
    expect(await airtable.read(context, sheet, { from: 201, count: 2 })).toEqual([
      { row: 201, values: ['ord_199'] },
      { row: 202, values: ['ord_200'] },
    ])
    expect(await asked(() => airtable.findRows(context, sheet, { key: KEY, keys: ['ord_999'] }))).toHaveLength(2)
  })

  test('records are counted as far as that is worth it, and found wherever they are', async () => {
    const { sheet } = made([[KEY], ...many(2_150)])
    const { context } = side.open()
    expect(await airtable.findRows(context, sheet, { key: KEY, keys: ['ord_2100'] })).toEqual([{ key: 'ord_2100', row: 2_002 }])
    expect(await airtable.updateRows(context, sheet, rowsOf([], ['ord_2100']))).toEqual(['ord_2100'])
  })
})

describe('keys', () => {
  test('are never part of a formula where they could be more than a text', async () => {
    const odd = ['"', '") , 1=1, ("', '\\', '{Order}', 'a\nb']
    const { sheet } = made([[KEY], ['ord_1'], ...odd.map((key) => [key])])
    const { context } = side.open()
    for (const [at, key] of odd.entries()) {
      const calls = await asked(async () =>
        expect(await airtable.findRows(context, sheet, { key: KEY, keys: [key] })).toEqual([{ key, row: at + 3 }]),
      )
      expect(calls.some(({ json }) => json.filterByFormula)).toBe(false)
    }
    const inBraces = made([['Nr } "x"'], ['ord_1']])
    expect(await airtable.findRows(context, inBraces.sheet, { key: 'Nr } "x"', keys: ['ord_1'] })).toEqual([{ key: 'ord_1', row: 2 }])
  })

  test('are the same with spaces around them, and the first counts where one stands twice', async () => {
    const { sheet, table } = made([
      [KEY, 'Name'],
      [' ord_1 ', ''],
      ['ord_1', ''],
    ])
    const { context } = side.open()
    expect(await airtable.updateRows(context, sheet, rowsOf(['Name'], ['ord_1', 'Lina']))).toEqual(['ord_1'])
    expect(table.records.map(({ cells }) => cells[table.fields[1]!.id])).toEqual(['Lina', undefined])
  })
})

describe('changes by people between two writes', () => {
  const isWrite = /^(POST|PATCH) \/v0\/app[^/]+\/tbl[^/]+$/

  test('a field that is deleted is left out, and one that is renamed is written all the same', async () => {
    const { sheet, table } = made([[KEY, 'Name', 'Phone']])
    const [, name, phone] = table.fields
    const context = beforeThe(isWrite, () => {
      table.fields = table.fields.filter((one) => one !== phone)
      name!.name = 'Customer'
    })
    await airtable.append(context, sheet, rowsOf(['Name', 'Phone'], ['ord_1', 'Lina', '0550']))
    expect(table.records.map(({ cells }) => Object.values(cells))).toEqual([['ord_1']])
    const renamed = made([[KEY, 'Name']])
    const renaming = beforeThe(isWrite, () => {
      renamed.table.fields[1]!.name = 'Customer'
    })
    await airtable.append(renaming, renamed.sheet, rowsOf(['Name'], ['ord_1', 'Lina']))
    expect(renamed.table.records.map(({ cells }) => Object.values(cells))).toEqual([['Lina', 'ord_1']])
  })

  test('a record that is deleted is not made again, and the others are written', async () => {
    const { sheet, table } = made([[KEY, 'Name'], ['ord_1'], ['ord_2']])
    const context = beforeThe(isWrite, () => void table.records.shift())
    const rows = rowsOf(['Name'], ['ord_1', 'x'], ['ord_2', 'y'])
    expect(await airtable.updateRows(context, sheet, rows)).toEqual(['ord_2'])
    expect(table.records.map(({ cells }) => Object.values(cells))).toEqual([['ord_2', 'y']])
  })

  test('a table that lost the field of the keys is not written into', async () => {
    const { sheet, table } = made([[KEY, 'Name']])
    const context = beforeThe(isWrite, () => void table.fields.shift())
    await failing(() => airtable.append(context, sheet, rowsOf(['Name'], ['ord_1', 'Lina']))).toMatchObject({
      reason: 'refused',
      upstream: { code: 'key_column' },
    })
    expect(table.records).toEqual([])
  })
})

describe('fields', () => {
  test('of texts take amounts as texts; what one does not take is refused in words that name it', async () => {
    const { sheet, table } = made([[KEY, 'Total', 'Phone', 'Sum']], { Phone: 'number', Sum: 'formula' })
    const { context } = side.open()
    await airtable.append(context, sheet, rowsOf(['Total'], ['ord_1', 2500.5]))
    expect(Object.values(table.records[0]!.cells)).toEqual(['2500.5', 'ord_1'])
    for (const [column, value] of [
      ['Phone', '0550'],
      ['Sum', 7],
    ] as const)
      await failing(() => airtable.append(context, sheet, rowsOf([column], ['ord_2', value]))).toMatchObject({
        reason: 'refused',
        message: expect.stringContaining(column),
      })
    expect(table.records).toHaveLength(1)
  })

  test('that a table came with take a header only where nobody has made something of it', async () => {
    const { context } = side.open()
    const blank = made([])
    const kept = made([])
    const used = made([['Name'], ['mine']])
    const named = made([['Nom']])
    const write = ({ sheet }: { sheet: Sheet }, wanted: string[]) => airtable.writeHeaders(context, sheet, wanted)
    expect(await write(blank, [KEY, 'order', 'Total'])).toEqual([KEY, 'Total'])
    expect(await write(kept, [KEY, 'name'])).toEqual(['Name', KEY])
    expect(await write(used, [KEY])).toEqual(['Name', KEY])
    expect(await write(named, [KEY])).toEqual(['Nom', KEY])
  })
})

describe('bases', () => {
  test('are made in the workspace that was named, and nowhere else', async () => {
    const file = { title: 'Orders', tab: 'Orders', headers: [KEY] }
    const without = side.open({ settings: {} }).context
    expect(await asked(() => failing(() => airtable.create(without, file)).toMatchObject({ reason: 'refused' }))).toEqual([])
    const wrong = side.open({ settings: { workspaceId: 'wspOfSomebodyElse' } }).context
    await failing(() => airtable.create(wrong, file)).toMatchObject({
      reason: 'refused',
      upstream: { code: expect.stringMatching(/^INVALID/) },
    })
    const { context } = side.open()
    const { id, url, tabs } = await airtable.create(context, { ...file, headers: [] })
    expect([url, tabs]).toEqual([`https://airtable.com/${id}`, [{ id: there.table(id).id, title: 'Orders' }]])
    expect(await airtable.headers(context, { spreadsheetId: id, tabId: tabs[0]!.id })).toEqual([])
  })

  test('are listed to the last page, and no more than a thousand', async () => {
    const { context } = side.open()
    const standing = (await airtable.list(context)).length
    for (let count = standing; count < 1_001; count += 1) there.make(`Base ${count}`)
    there.state.page = 400
    const calls = await asked(async () => expect(await airtable.list(context)).toHaveLength(1_000))
    expect(calls).toHaveLength(3)
  })
})
