import { type Cell, type FoundRow, type Part, type ReadRow, type Rows, type Sheet, type Wanted, written as words } from 'serai/spreadsheet'
import type { Context } from './fields.ts'
import { placesOf, recordsWith } from './find.ts'
import { changeRecords, makeRecords, pagesOf } from './records.ts'
import { type Field, fieldOf, inTable, keyOf, type Table } from './tables.ts'

const CELL_MAX = 5_000
const COLUMNS_MAX = 200
/** Locale and zone of formatted times; texts and amounts do not depend on them. */
const SHOWN = { cellFormat: 'string', timeZone: 'Africa/Algiers', userLocale: 'en-gb' } as const

export const append = (context: Context, sheet: Sheet, wanted: Rows): Promise<void> =>
  inTable(context, sheet, async (table) => {
    const key = keyOf(table, wanted.key)
    const columns = columnsOf(table, wanted)
    const records = wanted.rows.map((row) => ({ fields: { ...newFields(columns, row.values), [key.id]: row.key } }))
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
      .map(({ key, values }) => ({ id: found.get(key), fields: changedFields(columns, values) }))
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

/** Returns the field of each column; undefined for a missing one. */
const columnsOf = (table: Table, { columns }: Rows) => columns.map((column) => fieldOf(table, column))
type Columns = ReturnType<typeof columnsOf>

/** Fields of a new record, without empty values. */
const newFields = (columns: Columns, values: readonly Cell[]) =>
  Object.fromEntries(Object.entries(changedFields(columns, values)).filter(([, value]) => value !== null))

/** Fields of an update; an empty text clears the field. */
const changedFields = (columns: Columns, values: readonly Cell[]): Record<string, Cell> =>
  Object.fromEntries(
    columns.flatMap((field, at) => {
      const value = values[at] ?? null
      return field === undefined || value === null ? [] : [[field.id, cellFor(field, value)]]
    }),
  )

const NUMBERS: readonly string[] = ['number', 'currency', 'percent', 'rating', 'duration']

/** Converts a value. Texts are sent unchanged, and Airtable's refusal names the field. A number for another field type becomes text. */
function cellFor({ type }: Field, value: string | number): Cell {
  if (value === '') return null
  return typeof value === 'number' && !NUMBERS.includes(type) ? String(value) : value
}
