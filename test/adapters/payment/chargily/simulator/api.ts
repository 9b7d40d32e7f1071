import type { Call } from '../../../../support/simulator/simulator.ts'
import type { Books, Json, Kept, Mode } from './books.ts'

export interface ApiOptions {
  /** What becomes of a checkout while its answer is on its way: it can be paid, and told, before that. */
  readonly beforeAnswer?: (made: Kept) => unknown
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  readonly redirects?: string | undefined
}

const said = (status: number, body: unknown) => Response.json(body, { status })
const notFound = () => said(404, { message: 'Not Found.' })

function jsonIn(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch {
    return {}
  }
}

/** The mode is chosen by the address and the key together. */
function modeOf({ path, headers }: Call, keys: Readonly<Record<Mode, string>>): Mode | undefined {
  const mode: Mode = path.startsWith('/test/') ? 'test' : 'live'
  return headers.get('authorization') === `Bearer ${keys[mode]}` ? mode : undefined
}

export async function answer(books: Books, keys: Readonly<Record<Mode, string>>, options: ApiOptions, call: Call): Promise<Response> {
  if (options.redirects !== undefined && new RegExp(options.redirects).test(`${call.method} ${call.path}`))
    return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
  const mode = modeOf(call, keys)
  if (!mode) return said(401, { message: 'Unauthenticated.' })
  const path = call.path.replace(/^(\/test)?\/api\/v2\//, '')
  const name = `${call.method} ${path}`
  if (name === 'GET balance') return said(200, { entity: 'balance', livemode: mode === 'live' })
  if (name === 'GET checkouts') return page(books, mode, call)
  if (name === 'POST checkouts') return create(books, mode, options, jsonIn(call.body))
  return ofOne(books, mode, call.method, path)
}

async function create(books: Books, mode: Mode, { beforeAnswer }: ApiOptions, asked: Json): Promise<Response> {
  const made = books.create(mode, asked)
  if ('faults' in made) {
    const [first = ''] = Object.values(made.faults).flat()
    return said(422, { message: first, errors: made.faults })
  }
  const body = books.shown(made)
  await beforeAnswer?.(made)
  return said(200, body)
}

function ofOne(books: Books, mode: Mode, method: string, path: string): Response {
  const [, id = '', act = ''] = /^checkouts\/([^/]+)(?:\/(items|expire))?$/.exec(path) ?? []
  const one = books.get(decodeURIComponent(id))
  if (one?.mode !== mode) return notFound()
  if (method === 'GET' && act === '') return said(200, books.shown(one))
  if (method === 'GET' && act === 'items') return said(200, pageOf([], 1, 10, mode))
  return method === 'POST' && act === 'expire' ? expire(books, one) : notFound()
}

function expire(books: Books, one: Kept): Response {
  if (one.status !== 'pending') return said(422, { message: `The checkout is ${one.status}.`, errors: {} })
  return said(200, books.shown(books.move(one.id, 'expired')))
}

function page(books: Books, mode: Mode, { query }: Call): Response {
  const rows = books.all().filter((one) => one.mode === mode)
  return said(200, pageOf(rows.toReversed().map(books.shown), Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10), mode))
}

/** As Laravel pages. */
function pageOf(rows: readonly Json[], current: number, perPage: number, mode: Mode): Json {
  const last = Math.max(1, Math.ceil(rows.length / perPage))
  return {
    livemode: mode === 'live',
    current_page: current,
    data: rows.slice((current - 1) * perPage, current * perPage),
    last_page: last,
    next_page_url: current < last ? `/checkouts?page=${current + 1}` : null,
    per_page: perPage,
    total: rows.length,
  }
}
