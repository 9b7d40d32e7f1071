import { problem } from '../../../../support/simulator/faults.ts'
import { type Books, type Json, localTime, shown } from './parcels.ts'
import { centers, communes, fees, wilayas } from './places.ts'

interface Asked {
  readonly method: string
  /** Below `/v1/`, without the slash at its end. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: string
}

/** Not published; larger ones are refused, so that nobody relies on them. */
const CREATED_MAX = 100
const NAMED_MAX = 100

const notFilters = new Set(['page', 'page_size', 'fields', 'order_by', 'asc', 'desc'])
const days = new Set(['date_creation', 'date_last_status'])

export function answer(books: Books, asked: Asked): Response {
  const [resource = '', id] = asked.path
  if (resource === 'parcels') return parcels(books, asked, id)
  if (asked.method !== 'GET') return problem(405, 'Method not allowed')
  if (resource === 'wilayas') return listed(asked, keyed(wilayas, 'id', id))
  if (resource === 'communes') return listed(asked, keyed(communes, 'id', id))
  if (resource === 'centers') return listed(asked, keyed(centers, 'center_id', id))
  if (resource === 'histories') return listed(asked, histories(books, id))
  if (resource === 'fees') return feesOf(asked)
  return problem(404, 'Not found')
}

const keyed = <R extends Json>(rows: readonly R[], key: string, id: string | undefined) =>
  id === undefined ? rows : rows.filter((row) => String(row[key]) === id)

function parcels(books: Books, asked: Asked, tracking?: string): Response {
  if (asked.method === 'POST') return create(books, asked.body)
  if (asked.method === 'PATCH') return edit(books, asked.body, tracking ?? '')
  if (asked.method === 'DELETE') return remove(books, tracking ?? asked.query.get('tracking') ?? '')
  const named = asked.query.get('tracking')?.split(',') ?? []
  if (named.length > NAMED_MAX) return problem(400, `Maximum ${NAMED_MAX} colis`)
  const found = candidates(books, tracking ?? asked.query.get('tracking'), asked.query.get('order_id'))
  return listed(asked, found.map(shown))
}

/** By tracking or reference from an index; the filters below see to the rest. */
function candidates(books: Books, tracking: string | null, orderIds: string | null) {
  if (tracking !== null) return tracking.split(',').flatMap((one) => books.get(one) ?? [])
  if (orderIds !== null) return orderIds.split(',').flatMap((one) => books.ofOrder(one))
  return books.all()
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function create(books: Books, body: string): Response {
  const rows = jsonIn(body)
  if (!Array.isArray(rows) || rows.length === 0) return problem(400, 'Le corps doit être un tableau de colis')
  if (rows.length > CREATED_MAX) return problem(400, `Maximum ${CREATED_MAX} colis`)
  const references = rows.map((row) => String(row?.order_id))
  if (new Set(references).size < references.length) return problem(400, 'order_id doit être unique dans la requête')
  return Response.json(books.create(rows))
}

function edit(books: Books, body: string, tracking: string): Response {
  const parcel = books.get(tracking)
  if (!parcel) return problem(404, 'Colis introuvable')
  const message = books.edit(parcel, (jsonIn(body) ?? {}) as Json)
  return message === null ? Response.json(shown(parcel)) : problem(422, message)
}

/** Always 200; each row says whether it was deleted. */
const remove = (books: Books, trackings: string) =>
  Response.json(trackings.split(',').map((tracking) => ({ tracking, deleted: books.remove(tracking) })))

const histories = (books: Books, tracking?: string) =>
  (tracking === undefined ? books.all() : [books.get(tracking)]).flatMap((parcel) =>
    (parcel?.history ?? []).map(({ status, reason, at }) => ({
      date_status: localTime(at),
      tracking: parcel!.tracking,
      status,
      reason,
    })),
  )

function feesOf({ query }: Asked): Response {
  const found = fees(Number(query.get('from_wilaya_id')), Number(query.get('to_wilaya_id')))
  return found ? Response.json(found) : problem(400, 'from_wilaya_id et to_wilaya_id sont obligatoires')
}

function listed({ path, query }: Asked, rows: readonly Json[]): Response {
  const filters = [...query].filter(([name]) => !notFilters.has(name))
  const kept = ordered(
    rows.filter((row) => filters.every(([name, wanted]) => passes(row, name, wanted))),
    query,
  )
  const page = Math.max(1, Number(query.get('page') ?? 1))
  const size = Math.min(1000, Math.max(1, Number(query.get('page_size') ?? 100)))
  const columns = query.get('fields')?.split(',')
  const data = kept.slice((page - 1) * size, page * size).map((row) => trimmed(row, columns))
  const self = `https://api.example/v1/${path.join('/')}`
  return Response.json({
    has_more: page * size < kept.length,
    total_data: kept.length,
    data,
    links: { self, before: page > 1 ? self : null, next: page * size < kept.length ? self : null },
  })
}

function passes(row: Json, name: string, wanted: string): boolean {
  if (!(name in row)) return true
  const value = String(row[name] ?? '')
  if (!days.has(name)) return wanted.split(',').includes(value === 'true' ? '1' : value) || wanted.split(',').includes(value)
  const [from = '', to = from] = wanted.split(',')
  return value.slice(0, 10) >= from && value.slice(0, 10) <= to
}

function ordered(rows: readonly Json[], query: URLSearchParams): readonly Json[] {
  const by = query.get('order_by')
  if (by === null) return rows
  const sorted = [...rows].sort((a, b) => String(a[by]).localeCompare(String(b[by])))
  return query.has('desc') ? sorted.reverse() : sorted
}

const trimmed = (row: Json, columns?: readonly string[]) =>
  columns ? Object.fromEntries(columns.filter((name) => name in row).map((name) => [name, row[name]])) : row
