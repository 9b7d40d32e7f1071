import { AdapterError, isRow, type Row, rows, text, unreadable } from 'serai/spreadsheet'
import { call } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import type { Table } from './tables.ts'

const PAGE = 100
/** Airtable takes no more in one call. */
const WRITTEN_MAX = 10

export interface StandingRecord {
  readonly id: string
  /** By the ids of the fields; what is empty is not there. */
  readonly fields: Row
}

interface Listing {
  /** The ids of the fields that are wanted. */
  readonly fields: readonly string[]
  readonly filterByFormula?: string
  /** `string` gives what people see. */
  readonly cellFormat?: 'json' | 'string'
  readonly timeZone?: string
  readonly userLocale?: string
  readonly maxRecords?: number
}

/** Records page by page, in the order in which Airtable tells them; asked by POST, as an address has room for few keys. */
export async function* pagesOf(context: Context, { baseId, id }: Table, listing: Listing): AsyncGenerator<StandingRecord[]> {
  let offset: string | undefined
  do {
    const json = { ...listing, pageSize: PAGE, returnFieldsByFieldId: true, offset }
    const answer = await call(context, [baseId, id, 'listRecords'], { method: 'POST', json, readsOnly: true })
    yield recordsIn(answer)
    offset = text(answer.offset)
  } while (offset !== undefined)
}

function recordsIn({ records }: Row): StandingRecord[] {
  if (!Array.isArray(records)) throw unreadable(LABEL, 'no list of records')
  return rows(records).flatMap(({ id, fields }) =>
    text(id) === undefined ? [] : [{ id: String(id), fields: isRow(fields) ? fields : {} }],
  )
}

/** New records. Ten by ten: where it breaks off behind the first ten, only their keys tell which stand. */
export async function makeRecords(context: Context, table: Table, records: readonly object[]): Promise<void> {
  let standing = 0
  for (const part of tens(records)) {
    await writeTen(context, table, 'POST', part).catch((error: unknown) => {
      throw standing === 0 ? error : brokenOff(error, standing, records.length)
    })
    standing += part.length
  }
}

/** Records that stand; written once more they are the same. */
export async function changeRecords(context: Context, table: Table, records: readonly object[]): Promise<void> {
  for (const part of tens(records)) await writeTen(context, table, 'PATCH', part)
}

const tens = <V>(records: readonly V[]): V[][] =>
  Array.from({ length: Math.ceil(records.length / WRITTEN_MAX) }, (_, at) => records.slice(at * WRITTEN_MAX, (at + 1) * WRITTEN_MAX))

async function writeTen(context: Context, { baseId, id }: Table, method: 'POST' | 'PATCH', records: readonly object[]): Promise<void> {
  const { length } = recordsIn(await call(context, [baseId, id], { method, json: { records, returnFieldsByFieldId: true } }))
  if (length !== records.length) throw unreadable(LABEL, `of ${records.length} records it tells ${length}`)
}

function brokenOff(error: unknown, standing: number, all: number): AdapterError {
  const why = error instanceof Error ? error.message : String(error)
  const upstream = error instanceof AdapterError ? error.upstream : {}
  return new AdapterError('unavailable', `Of ${all} records ${standing} were written. Then: ${why}`, upstream, { cause: error })
}
