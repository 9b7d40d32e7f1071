import { type Cell, type FoundRow, type Part, type ReadRow, type Rows, type Sheet, type Wanted, written as words } from 'serai/spreadsheet'
import type { Context } from './fields.ts'
import { placesOf, recordsWith } from './find.ts'
import { changeRecords, makeRecords, pagesOf } from './records.ts'
import { type Field, fieldOf, inTable, keyOf, type Table } from './tables.ts'

const CELL_MAX = 5_000
const COLUMNS_MAX = 200
/** What times are shown in where people see them; texts and amounts look the same everywhere. */
const SHOWN = { cellFormat: 'string', timeZone: 'Africa/Algiers', userLocale: 'en-gb' } as const

export const append = (context: Context, sheet: Sheet, wanted: Rows): Promise<void> =>
  inTable(context, sheet, async (table) => {
    const key = keyOf(table, wanted.key)
    const columns = columnsOf(table, wanted)
    const records = wanted.rows.map((row) => ({ fields: { ...filled(columns, row.values), [key.id]: row.key } }))
    await makeRecords(context, table, records)
  })

export const findRows = (context: Context, sheet: Sheet, { key: header, keys }: Wanted): Promise<FoundRow[]> =>
  inTable(context, sheet, async (table) => {
    const key = keyOf(table, header)
    const found = await recordsWith(context, table, key, keys)
    if (found.size === 0) return []
    const places = await placesOf(context, table, key, [...found.values()])
    return keys.flatMap((name) => {
      const row = places.get(found.get(name) ?? '')
      return row === undefined ? [] : [{ key: name, row }]
    })
  })

export const updateRows = (context: Context, sheet: Sheet, wanted: Rows): Promise<string[]> =>
  inTable(context, sheet, async (table) => {
    const found = await recordsWith(
      context,
      table,
      keyOf(table, wanted.key),
      wanted.rows.map(({ key }) => key),
    )
    const columns = columnsOf(table, wanted)
    const there = wanted.rows.filter(({ key }) => found.has(key))
    const records = there
      .map(({ key, values }) => ({ id: found.get(key), fields: changed(columns, values) }))
      .filter(({ fields }) => Object.keys(fields).length > 0)
    await changeRecords(context, table, records)
    return there.map(({ key }) => key)
  })

export const read = (context: Context, sheet: Sheet, { from, count }: Part): Promise<ReadRow[]> =>
  inTable(context, sheet, async (table) => {
    const fields = table.fields.slice(0, COLUMNS_MAX).map(({ id }) => id)
    const found: ReadRow[] = []
    let row = 2
    for await (const page of pagesOf(context, table, { fields, ...SHOWN })) {
      for (const record of page) {
        if (row >= from && row < from + count) found.push({ row, values: fields.map((id) => words(record.fields[id], CELL_MAX)) })
        row += 1
      }
      if (row >= from + count) break
    }
    return found
  })

/** The field of each column; undefined where there is none. */
const columnsOf = (table: Table, { columns }: Rows) => columns.map((column) => fieldOf(table, column))
type Columns = ReturnType<typeof columnsOf>

/** What a new record is given: what is empty is left out. */
const filled = (columns: Columns, values: readonly Cell[]) =>
  Object.fromEntries(Object.entries(changed(columns, values)).filter(([, value]) => value !== null))

/** What is written over a record that stands: an empty text empties the field. */
const changed = (columns: Columns, values: readonly Cell[]): Record<string, Cell> =>
  Object.fromEntries(
    columns.flatMap((field, at) => {
      const value = values[at] ?? null
      return field === undefined || value === null ? [] : [[field.id, cellFor(field, value)]]
    }),
  )

const NUMBERS: readonly string[] = ['number', 'currency', 'percent', 'rating', 'duration']

/** Texts go as they are, whatever the field is: what it does not take Airtable refuses, in words that name it. A field of texts takes no number. */
function cellFor({ type }: Field, value: string | number): Cell {
  if (value === '') return null
  return typeof value === 'number' && !NUMBERS.includes(type) ? String(value) : value
}
