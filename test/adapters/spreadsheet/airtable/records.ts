import { fieldIn, passing, Refusal, type StandingRecord, type Table, write } from './bases.ts'

export type Asked = Readonly<Record<string, unknown>>

const PAGE_MAX = 100
const CREATED = '2026-11-23T10:00:00.000Z'

/** A page of records; fields of which nothing stands are not told. */
export function listRecords(table: Table, asked: Asked): Response {
  const { pageSize = PAGE_MAX, maxRecords, filterByFormula, cellFormat, timeZone, userLocale, offset } = asked
  if (Number(pageSize) > PAGE_MAX) throw new Refusal('INVALID_REQUEST_UNKNOWN', 'A page has at most 100 records.')
  if (cellFormat === 'string' && !(timeZone && userLocale))
    throw new Refusal('INVALID_REQUEST_UNKNOWN', 'timeZone and userLocale are required.')
  const passes = filterByFormula === undefined ? () => true : passing(table, String(filterByFormula))
  const all = table.records.filter(passes).slice(0, maxRecords === undefined ? undefined : Number(maxRecords))
  const from = offset === undefined ? 0 : all.findIndex(({ id }) => offset === offsetOf(id))
  if (from < 0) throw new Refusal('LIST_RECORDS_ITERATOR_NOT_AVAILABLE', 'The iterator is not available any more.')
  const next = all[from + Number(pageSize)]
  const records = all.slice(from, from + Number(pageSize)).map((record) => shown(table, record, asked))
  return Response.json({ records, ...(next && { offset: offsetOf(next.id) }) })
}

const offsetOf = (id: string) => `itrSimulator/${id}`

function shown(table: Table, { id, cells }: StandingRecord, { fields, cellFormat, returnFieldsByFieldId }: Asked) {
  const wanted = (fields as string[] | undefined)?.map((name) => fieldIn(table, name)) ?? table.fields
  const told = wanted.flatMap((field) => {
    const value = cells[field.id]
    if (value === undefined) return []
    return [[returnFieldsByFieldId ? field.id : field.name, cellFormat === 'string' ? String(value) : value]]
  })
  return { id, createdTime: CREATED, fields: Object.fromEntries(told) }
}

/** New records by POST, standing ones by PATCH. */
export function writeRecords(table: Table, method: string, { records, typecast }: Asked): Response {
  const areNew = method === 'POST'
  if (Array.isArray(records) && records.some(({ id }: Asked) => (id === undefined) !== areNew))
    throw new Refusal('INVALID_RECORDS', 'Ids are for records that stand.')
  const written = write(table, records, { typecast: typecast === true })
  return Response.json({ records: written.map((record) => shown(table, record, {})) })
}
