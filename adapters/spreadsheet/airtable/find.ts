import { written as words } from 'serai/spreadsheet'
import type { Context } from './fields.ts'
import { pagesOf, type StandingRecord } from './records.ts'
import type { Field, Table } from './tables.ts'

const KEY_MAX = 200
const KEYS_IN_FORMULA = 50
/** Pages to count, because records have no row numbers. Counting further costs too many calls. */
const PAGES_COUNTED = 20

/** Finds the record of each key; the first one if several have it. A formula narrows the list, and the values are compared here. */
export async function recordsWith(context: Context, table: Table, key: Field, keys: readonly string[]): Promise<Map<string, string>> {
  const wanted = new Set(keys)
  const found = new Map<string, string>()
  for (const filter of filtersOf(key.name, keys))
    for await (const page of pagesOf(context, table, { fields: [key.id], ...filter }))
      for (const record of page) {
        const name = keyIn(record, key)
        if (wanted.has(name) && !found.has(name)) found.set(name, record.id)
      }
  return found
}

/** Returns the row of each record, from 2. Records beyond the counted pages get the row where counting ended. */
export async function placesOf(context: Context, table: Table, key: Field, ids: readonly string[]): Promise<Map<string, number>> {
  const missing = new Set(ids)
  const places = new Map<string, number>()
  let [row, pages] = [2, 0]
  for await (const page of pagesOf(context, table, { fields: [key.id] })) {
    for (const { id } of page) {
      if (missing.delete(id)) places.set(id, row)
      row += 1
    }
    pages += 1
    if (missing.size === 0 || pages === PAGES_COUNTED) break
  }
  if (pages === PAGES_COUNTED) for (const id of missing) places.set(id, row)
  return places
}

const keyIn = ({ fields }: StandingRecord, { id }: Field) => words(fields[id], KEY_MAX).trim()

/** Characters that a formula would need to escape; Airtable's escaping is not documented well enough. */
const ODD = /[\\"{}\p{Cc}]/u

/** Builds formulas that match all of these keys. Without a filter, for names with special characters, all records are read. */
function filtersOf(header: string, keys: readonly string[]): { filterByFormula?: string }[] {
  if ([header, ...keys].some((name) => ODD.test(name))) return [{}]
  const parts = Array.from({ length: Math.ceil(keys.length / KEYS_IN_FORMULA) }, (_, at) =>
    keys.slice(at * KEYS_IN_FORMULA, (at + 1) * KEYS_IN_FORMULA),
  )
  return parts.map((part) => ({ filterByFormula: `OR(${part.map((key) => `TRIM({${header}}&"")="${key}"`).join(',')})` }))
}
