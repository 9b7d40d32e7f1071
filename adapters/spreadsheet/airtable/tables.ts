import { AdapterError, placeOf, printed, type Row, rows, type Sheet, type SheetTab, text, unreadable } from 'serai/spreadsheet'
import { call, isStale } from './api.ts'
import { type Context, LABEL } from './fields.ts'

const TITLE_MAX = 500

export interface Field {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Table in its current state. It and its fields are addressed by id, since users rename them. */
export interface Table {
  readonly id: string
  readonly title: string
  readonly baseId: string
  readonly fields: readonly Field[]
}

export const tabs = async (context: Context, spreadsheetId: string): Promise<SheetTab[]> =>
  (await tablesOf(context, spreadsheetId)).map(tabOf)

export const tabOf = ({ id, title }: Table): SheetTab => ({ id, title: printed(title, TITLE_MAX) })

const tablesOf = async (context: Context, baseId: string) => tablesIn(await call(context, ['meta', 'bases', baseId, 'tables']), baseId)

export function tablesIn({ tables }: Row, baseId: string): Table[] {
  const found = rows(tables).flatMap((table) => {
    const id = text(table.id)
    return id === undefined ? [] : [{ id, title: String(table.name ?? ''), baseId, fields: rows(table.fields).flatMap(fieldIn) }]
  })
  if (found.length === 0) throw unreadable(LABEL, 'a base without tables')
  return found
}

function fieldIn({ id, name, type }: Row): Field[] {
  return text(id) === undefined ? [] : [{ id: String(id), name: String(name ?? ''), type: String(type ?? '') }]
}

async function tableOf(context: Context, { spreadsheetId, tabId }: Sheet): Promise<Table> {
  const table = (await tablesOf(context, spreadsheetId)).find(({ id }) => id === tabId)
  if (!table) throw new AdapterError('not_found', 'The table is not in the base any more. Choose another.', { code: 'tab' })
  return table
}

/** Runs `work` with the current table. Retries with a fresh one when the table changed meanwhile, because nothing was written then. */
export async function inTable<V>(context: Context, sheet: Sheet, work: (table: Table) => Promise<V>): Promise<V> {
  const table = await tableOf(context, sheet)
  try {
    return await work(table)
  } catch (error) {
    if (!isStale(error)) throw error
    return work(await tableOf(context, sheet))
  }
}

/** Returns the field of a header; the first one if several look equal to users. */
export const fieldOf = ({ fields }: Table, header: string): Field | undefined =>
  fields[
    placeOf(
      fields.map(({ name }) => name),
      header,
    )
  ]

export function keyOf(table: Table, header: string): Field {
  const field = fieldOf(table, header)
  if (field) return field
  throw new AdapterError('refused', `The table has no field "${header}" any more, by which records are known. Give it its name back.`, {
    code: 'key_column',
  })
}
