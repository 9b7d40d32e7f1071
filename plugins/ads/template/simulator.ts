/** Faults that the simulator can play. The simulator stands in for the platform's API; make it behave, and fail, as the real one does. */
export type Trouble = 'ignored' | 'error' | 'malformed' | 'mumbled' | 'rate_limited' | 'unauthorized'

/** A request that the simulator received. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An event as the adapter sent it. */
export interface Told {
  readonly id: string
  readonly name: string
  readonly at: number
  readonly email?: string
  readonly phone?: string
  readonly customer?: string
  readonly ip?: string
  readonly userAgent?: string
  readonly value?: number
  readonly currency?: string
  readonly order?: string
  readonly click?: string
  readonly contents?: readonly { readonly id: string; readonly quantity: number; readonly price?: number }[]
}

/** The token that the simulator accepts. */
export const token = 'example-token-0123456789'
const WEEK_SECONDS = 7 * 86_400

/** Campaigns of the account. */
export const campaigns = [
  { id: '201', name: 'Baskets', status: 'on', budget: '25.50' },
  { id: '202', name: 'Scarves', status: 'off', budget: '7' },
]
const sets = [
  { id: '301', name: 'North', status: 'on', campaign: '201' },
  { id: '302', name: 'South', status: 'on', campaign: '202' },
]
/** Ads of the account. */
export const ads = [
  { id: '401', name: 'Video', status: 'on', campaign: '201', set: '301', url: 'https://shop.example/products/basket' },
  { id: '402', name: 'Picture', status: 'on', campaign: '202', set: '302', url: 'https://shop.example/products/scarf' },
]
/** Daily figures of the ads. */
export const days = [
  { day: '2026-11-01', ad: '401', campaign: '201', set: '301', spend: '12.34', shown: 1000, clicks: 40, bought: 3 },
  { day: '2026-11-02', ad: '401', campaign: '201', set: '301', spend: '0.1', shown: 10, clicks: 0, bought: 0 },
  { day: '2026-11-02', ad: '402', campaign: '202', set: '302', spend: '7.05', shown: 500, clicks: 12, bought: 1 },
]
/** The ad account of the simulator. */
export const account = { id: '101', name: 'Shop', currency: 'USD', zone: 'Africa/Algiers', active: true }
const pixels = [{ id: '501', name: 'Pixel' }]

/** An event that arrived, with the code of a test and the number of its request. */
interface Arrived {
  readonly event: Told
  readonly test: string | null
  readonly request: number
}

/** Starts a stand-in for the platform, and returns its address, calls, events and controls. */
export function startSimulator() {
  const calls: Call[] = []
  const told: Arrived[] = []
  let trouble: { readonly kind: Trouble; readonly on: RegExp } | undefined

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method, headers } = request
    const call = { at: Date.now(), method, path, query: search.slice(1), headers: Object.fromEntries(headers), body: await request.text() }
    calls.push(call)
    if (trouble?.on.test(`${method} ${path}`)) return misbehave(trouble.kind)
    if (call.headers.authorization !== `Bearer ${token}`) return Response.json({ error: 'Who are you?' }, { status: 401 })
    return method === 'POST' ? store(call.body) : answer(path, new URLSearchParams(call.query))
  }

  /** Stores events. One event that is too old makes the whole request fail. */
  function store(body: string): Response {
    const { events, test = null } = JSON.parse(body) as { events: Told[]; test?: string }
    if (events.some(({ at }) => at < Date.now() / 1000 - WEEK_SECONDS))
      return Response.json({ error: 'An event is too old.' }, { status: 400 })
    const request = calls.length
    told.push(...events.map((event) => ({ event, test, request })))
    return Response.json({ taken: events.length })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    told,
    fail(kind: Trouble, on: string) {
      trouble = { kind, on: new RegExp(on) }
    },
    calm() {
      trouble = undefined
    },
    stop: () => server.stop(true),
  }
}

function misbehave(kind: Trouble): Response | Promise<Response> {
  if (kind === 'ignored') return new Promise(() => {})
  if (kind === 'error') return Response.json({ error: 'Oh no.' }, { status: 500 })
  if (kind === 'malformed') return new Response('{"rows": [', { headers: { 'content-type': 'application/json' } })
  if (kind === 'mumbled') return Response.json({ ok: 1 })
  return Response.json({ error: 'Not now.' }, { status: kind === 'unauthorized' ? 401 : 429 })
}

function answer(path: string, query: URLSearchParams): Response {
  const matches = (name: string, value: string) => !query.has(name) || query.get(name) === value
  if (path === '/v1/me') return Response.json({ name: 'Somebody' })
  if (path === '/v1/accounts') return pageOf([account], query)
  if (path.endsWith('/campaigns')) return pageOf(campaigns, query)
  if (path.endsWith('/pixels')) return pageOf(pixels, query)
  if (path.endsWith('/sets')) {
    const found = sets.filter(({ campaign }) => matches('campaign', campaign))
    return pageOf(found, query)
  }
  if (path.endsWith('/ads')) {
    const found = ads.filter((one) => matches('campaign', one.campaign) && matches('set', one.set) && matches('ad', one.id))
    return pageOf(found, query)
  }
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const figures = days.filter(({ day }) => day >= from && day <= to)
  return pageOf(figures, query, 2)
}

function pageOf(all: readonly object[], query: URLSearchParams, size = Number(query.get('limit') ?? 100)): Response {
  const at = Number(query.get('page') ?? 0)
  return Response.json({ rows: all.slice(at, at + size), ...(at + size < all.length && { next: at + size }) })
}
