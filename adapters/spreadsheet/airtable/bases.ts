import {
  AdapterError,
  type NewSpreadsheet,
  printed,
  type Row,
  readable,
  rows,
  type Spreadsheet,
  type SpreadsheetFile,
  text,
  unreadable,
} from 'serai/spreadsheet'
import { callBases } from './api.ts'
import { type Context, HOSTS, LABEL } from './fields.ts'
import { PLACEHOLDER, TEXT } from './headers.ts'
import { tablesIn, tabOf } from './tables.ts'

const BASES_MAX = 1000
const NAME_MAX = 1000

/** Lists the bases that the token can access, in Airtable's order. */
export async function list(context: Context): Promise<SpreadsheetFile[]> {
  const found: SpreadsheetFile[] = []
  let offset: string | undefined
  do {
    const answer = await callBases(context, { query: { offset } })
    if (!Array.isArray(answer.bases)) throw unreadable(LABEL, 'no list of bases')
    found.push(...readable(context, rows(answer.bases), baseIn))
    offset = text(answer.offset)
  } while (offset !== undefined && found.length < BASES_MAX)
  return found.slice(0, BASES_MAX)
}

function baseIn({ id, name }: Row): SpreadsheetFile | undefined {
  const known = text(id)
  return known === undefined ? undefined : { id: known, name: printed(String(name ?? ''), NAME_MAX), url: addressOf(known) }
}

const addressOf = (id: string) => `https://${HOSTS.people}/${encodeURIComponent(id)}`

/** Creates a base. Airtable requires a workspace and does not list them, so a setting names one. */
export async function create(context: Context, { title, tab, headers }: NewSpreadsheet): Promise<Spreadsheet> {
  const { workspaceId } = context.settings
  if (workspaceId === undefined)
    throw new AdapterError(
      'refused',
      'Say in the settings in which workspace bases are made (wsp…), or make the base in Airtable and choose it.',
      { code: 'workspace' },
    )
  // A table needs at least one field.
  const names = headers.length > 0 ? headers : [PLACEHOLDER]
  const fields = names.map((name) => ({ name, type: TEXT }))
  const made = await callBases(context, { method: 'POST', json: { name: title, workspaceId, tables: [{ name: tab, fields }] } })
  const id = text(made.id)
  if (id === undefined) throw unreadable(LABEL, 'no base')
  return { id, name: title, url: addressOf(id), tabs: tablesIn(made, id).map(tabOf) }
}
