import { labelPdf } from '../../../../support/simulator/pdf.ts'
import type { Call, SimulatorOptions } from '../../../../support/simulator/simulator.ts'
import { type Books, type Json, type Order, shown } from './books.ts'
import type { Hooks } from './hooks.ts'
import { communes, priceTo, wilayas } from './places.ts'

export interface MaystroOptions extends SimulatorOptions {
  /** Clients disagree on each of these. */
  readonly scheme?: 'Token' | 'bare'
  readonly wilayasAt?: 'shared' | 'base'
  readonly types?: readonly [number, number]
  /** The rows of communes are not published. */
  readonly communesAs?: 'pairs' | 'objects' | 'page'
  readonly newestFirst?: boolean
  /** It takes no address of callbacks, and says which. */
  readonly refusesHooks?: boolean
  /** Where orders are aborted; an abort may be answered as done and left undone. */
  readonly abortsAt?: 'shared' | 'orders'
  readonly abortsNothing?: boolean
  /** The history is one client's alone. */
  readonly tellsNoHistory?: boolean
}

const HOOKS = 'stores/hooks/costume/'
const BLANK_BYTES = 880
const LABEL_BYTES = 6_000

const said = (status: number, body: unknown) => Response.json(body, { status })
const notFound = () => said(404, { detail: 'Not found.' })
/** Not even a page. */
const blank = () => new Response('%PDF-1.4\n'.padEnd(BLANK_BYTES, ' '), { headers: { 'content-type': 'application/pdf' } })

function jsonIn(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch {
    return {}
  }
}

export function answer(books: Books, hooks: Hooks, token: string, options: MaystroOptions, call: Call): Response {
  const expected = options.scheme === 'bare' ? token : `Token ${token}`
  if (call.headers.get('authorization') !== expected) return said(401, { detail: 'Invalid token.' })
  const path = call.path.replace(/^\/api\//, '')
  const body = jsonIn(call.body)
  if (path.startsWith(HOOKS)) return hook(hooks, options, call.method, path, body)
  if (call.method === 'GET') return read(books, options, path, call.query)
  if (call.method === 'PATCH') return change(books, options, path, body)
  if (path === 'stores/orders/') return create(books, body)
  return path === 'delivery/starter/v2/starter_bordureau/' ? label(books, body) : notFound()
}

function create(books: Books, body: Json): Response {
  const made = books.create(body)
  return 'faults' in made ? said(400, made.faults) : said(201, shown(made.order))
}

function change(books: Books, { abortsAt = 'shared', abortsNothing }: MaystroOptions, path: string, body: Json): Response {
  const abort = abortsAt === 'shared' ? /^shared\/status\/([^/]+)\/$/ : /^stores\/orders\/([^/]+)\/status\/$/
  const [, aborted] = abort.exec(path) ?? []
  const [, id = aborted] = /^stores\/orders\/([^/]+)\/$/.exec(path) ?? []
  const order = id === undefined ? undefined : books.get(decodeURIComponent(id))
  if (!order) return notFound()
  if (aborted !== undefined) {
    if (body.status !== 50 || body.abort_reason !== 21) return said(400, { status: ['Not allowed.'] })
    if (!abortsNothing) books.abort(order)
    return said(200, { status: 50 })
  }
  const faults = books.edit(order, body)
  return faults ? said(400, faults) : said(200, shown(order))
}

/** What it does not know it prints as a blank page. */
function label(books: Books, { orders_ids }: Json): Response {
  const found = (Array.isArray(orders_ids) ? orders_ids : []).flatMap((id) => books.get(id) ?? [])
  return found.length === 0 ? blank() : labelPdf(found.map(({ display_id }) => display_id).join(' '), LABEL_BYTES)
}

function read(books: Books, options: MaystroOptions, path: string, query: URLSearchParams): Response {
  const [, id] = /^stores\/orders\/([^/]+)\/$/.exec(path) ?? /^stores\/history_order\/([^/]+)$/.exec(path) ?? []
  if (id !== undefined) return readOrder(books.get(decodeURIComponent(id)), { isHistory: path.startsWith('stores/history') }, options)
  if (path === `${options.wilayasAt ?? 'shared'}/wilayas/`) return said(200, query.get('country') === '1' ? wilayas.map(pair) : [])
  if (path === 'shared/communes/') return communesOf(Number(query.get('wilaya')), options)
  if (path !== 'stores/delivery_price/') return notFound()
  const type = books.types.indexOf(Number(query.get('delivery_type')))
  const price =
    type < 0 ? undefined : priceTo(Number(query.get('commune')), { express: query.get('express') === 'true', stopDesk: type === 1 })
  return price === undefined ? notFound() : said(200, { delivery_price: price })
}

function readOrder(
  order: Order | undefined,
  { isHistory }: { readonly isHistory: boolean },
  { newestFirst, tellsNoHistory }: MaystroOptions,
): Response {
  if (!order || (isHistory && tellsNoHistory)) return notFound()
  if (!isHistory) return said(200, shown(order))
  const steps = order.history.map(({ status, comment, at }) => ({ status, created_at: new Date(at).toISOString(), comment }))
  return said(200, newestFirst ? steps.reverse() : steps)
}

const pair = ({ id, name }: { id: number; name: string }) => [id, name]

function communesOf(wilayaId: number, { communesAs }: MaystroOptions): Response {
  const rows = communes.filter(({ wilaya }) => wilaya === wilayaId)
  if (communesAs === 'objects') return said(200, rows)
  return said(200, communesAs === 'page' ? { count: rows.length, next: null, results: rows } : rows.map(pair))
}

function hook(hooks: Hooks, { refusesHooks }: MaystroOptions, method: string, path: string, { endpoint }: Json): Response {
  if (method === 'GET') return said(200, hooks.all())
  if (method === 'POST' && refusesHooks) return said(400, { endpoint: [`${endpoint} is not a valid address.`] })
  if (method === 'POST') return said(201, hooks.add(String(endpoint)))
  return hooks.remove(Number(path.slice(HOOKS.length, -1))) ? new Response(null, { status: 204 }) : notFound()
}
