import { AdapterError, beginning, placeOf, type Sheet, text, unreadable } from 'serai/spreadsheet'
import { call } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import { pagesOf } from './records.ts'
import { fieldOf, inTable, type Table } from './tables.ts'

const HEADER_MAX = 200
const COLUMNS_MAX = 200
/** Field type that stores text unchanged; longer types may parse mentions and markup. */
export const TEXT = 'singleLineText'
/** Airtable's name of the field that every table must have. */
export const PLACEHOLDER = 'Name'

const trimHeaders = (names: readonly string[]) => names.slice(0, COLUMNS_MAX).map((name) => beginning(name, HEADER_MAX))
const namesOf = ({ fields }: Table) => fields.map(({ name }) => name)

export const headers = (context: Context, sheet: Sheet): Promise<string[]> =>
  inTable(context, sheet, async (table) => ((await isBlank(context, table)) ? [] : trimHeaders(namesOf(table))))

/** Adds the missing fields, one call each. After a failure, a retry adds the remaining ones. */
export const writeHeaders = (context: Context, sheet: Sheet, wanted: readonly string[]): Promise<string[]> =>
  inTable(context, sheet, async (table) => {
    const lacking = lackingIn(table, wanted)
    if (lacking.length === 0) return trimHeaders(namesOf(table))
    if (table.fields.length + lacking.length > COLUMNS_MAX)
      throw new AdapterError('refused', `The table has ${table.fields.length} fields, and takes no more than ${COLUMNS_MAX}.`, {
        code: 'columns',
      })
    // The first header takes the default field of an unused table.
    const isFree = !wanted.some((header) => fieldOf(table, header)) && (await isBlank(context, table))
    const [first = '', ...others] = lacking
    await writeField(context, table, first, isFree ? table.fields[0]?.id : undefined)
    for (const header of others) await writeField(context, table, header)
    return trimHeaders([...(isFree ? [] : namesOf(table)), ...lacking])
  })

/** Returns the missing headers. Airtable ignores case in names. */
const lackingIn = (table: Table, wanted: readonly string[]) =>
  wanted.filter((header, at) => !fieldOf(table, header) && placeOf(wanted, header) === at)

/** Creates a field, or renames an existing one. */
async function writeField(context: Context, { baseId, id }: Table, name: string, standing?: string): Promise<void> {
  const path = ['meta', 'bases', baseId, 'tables', id, 'fields']
  const answer = await (standing === undefined
    ? call(context, path, { method: 'POST', json: { name, type: TEXT } })
    : call(context, [...path, standing], { method: 'PATCH', json: { name } }))
  if (text(answer.id) === undefined) throw unreadable(LABEL, 'no field')
}

/** Returns true for an unused table: only the default field, and no record. */
async function isBlank(context: Context, table: Table): Promise<boolean> {
  const [only, ...others] = table.fields
  if (!only || others.length > 0 || only.name !== PLACEHOLDER || only.type !== TEXT) return false
  for await (const page of pagesOf(context, table, { fields: [only.id], maxRecords: 1 })) return page.length === 0
  return true
}
