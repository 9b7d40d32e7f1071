import { AdapterError, isRow, type Row, rows, text, unreadable } from 'serai/spreadsheet'
import { call } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import type { Table } from './tables.ts'

const PAGE = 100
/** Records per write call, Airtable's maximum. */
const WRITTEN_MAX = 10

export interface StandingRecord {
  readonly id: string
  /** Values by field id; empty ones are absent. */
  readonly fields: Row
}

interface Listing {
  /** Ids of the fields to read. */
  readonly fields: readonly string[]
  readonly filterByFormula?: string
  /** `string` returns formatted values. */
  readonly cellFormat?: 'json' | 'string'
  readonly timeZone?: string
  readonly userLocale?: string
  readonly maxRecords?: number
}

/** Iterates over records by page, in Airtable's order. Uses POST, because addresses are too short for many keys. */
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

/** Creates records in tens. After a partial failure, only their keys tell which ones exist. */
export async function makeRecords(context: Context, table: Table, records: readonly object[]): Promise<void> {
  let standing = 0
  for (const part of tens(records)) {
    await writeTen(context, table, 'POST', part).catch((error: unknown) => {
      throw standing === 0 ? error : partialFailure(error, standing, records.length)
    })
    standing += part.length
  }
}

/** Updates records; repeating it has no further effect. */
export async function changeRecords(context: Context, table: Table, records: readonly object[]): Promise<void> {
  for (const part of tens(records)) await writeTen(context, table, 'PATCH', part)
}

const tens = <V>(records: readonly V[]): V[][] =>
  Array.from({ length: Math.ceil(records.length / WRITTEN_MAX) }, (_, at) => records.slice(at * WRITTEN_MAX, (at + 1) * WRITTEN_MAX))

async function writeTen(context: Context, { baseId, id }: Table, method: 'POST' | 'PATCH', records: readonly object[]): Promise<void> {
  const { length } = recordsIn(await call(context, [baseId, id], { method, json: { records, returnFieldsByFieldId: true } }))
  if (length !== records.length) throw unreadable(LABEL, `of ${records.length} records it confirmed ${length}`)
}

function partialFailure(error: unknown, standing: number, all: number): AdapterError {
  const why = error instanceof Error ? error.message : String(error)
  const upstream = error instanceof AdapterError ? error.upstream : {}
  return new AdapterError('unavailable', `Of ${all} records ${standing} were written. Then: ${why}`, upstream, { cause: error })
}
