import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { type Hook, hooksOf } from './hooks.ts'
import { edits, placeOrder, type SallaOrder, touch, written } from './orders.ts'
import { tokensOf } from './tokens.ts'

export { APP, CODE, TOKEN } from './tokens.ts'
export const MERCHANT = 1305146709

const succeed = (data: unknown, more: object = {}, status = 200) => Response.json({ status, success: true, data, ...more }, { status })
const refuse = (status: number, code: string, message: string) =>
  Response.json({ status, success: false, error: { code, message } }, { status })
const nowhere = () => refuse(404, 'error', 'المحتوى الذي تحاول الوصول اليه غير متوفر')
const unauthorized = () => refuse(401, 'Unauthorized', 'The access token is invalid')

/** The platform as its documents have it, with its traps: lists and orders without goods and places, times of Riyadh, tokens that work once. */
export function startSalla({ tokenSeconds = 14 * 86_400 } = {}) {
  const orders = new Map<number, SallaOrder>()
  const statuses: { id: number; slug: string }[] = []
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const [tokens, hooks] = [tokensOf(tokenSeconds), hooksOf()]
  let fault: Fault | null = null
  let left = Number.POSITIVE_INFINITY

  const paged = (found: readonly unknown[], query: URLSearchParams) => {
    const [page, perPage] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('per_page') ?? 15), 60)]
    const shown = found.slice((page - 1) * perPage, page * perPage)
    const totalPages = Math.max(1, Math.ceil(found.length / perPage))
    return succeed(shown, { pagination: { count: shown.length, total: found.length, perPage, currentPage: page, totalPages, links: {} } })
  }
  const sorted = (by: string | null) =>
    [...orders.values()].sort((one, other) => (by === 'updated_at-desc' ? other.updated - one.updated : other.id - one.id))
  const broken = (): Response | undefined => {
    if (fault === 'error') return refuse(500, 'server_error', 'oops')
    left -= 1
    if (fault === 'rate_limited' || left < 0)
      return Response.json({}, { status: 429, headers: { 'retry-after': '2', 'x-ratelimit-remaining': '0' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    return fault === 'malformed' ? new Response('{"data":[{"id', { headers: { 'content-type': 'application/json' } }) : undefined
  }

  function changeStatus(id: number, slug: string): Response {
    const order = orders.get(id)
    if (!order) return nowhere()
    statuses.push({ id, slug })
    touch(order, slug)
    return succeed({ message: 'The entity has been updated successfully', code: 201 }, {}, 201)
  }

  /** What is asked of one order. */
  function answerOf(asked: string, query: URLSearchParams, body: string): Response {
    const order = orders.get(Number(query.get('order_id')))
    if (asked === 'GET /orders/items') return order ? succeed(written(order).items) : nowhere()
    if (asked === 'GET /shipments') return order ? succeed(written(order).shipments) : succeed([])
    const [, method, id = ''] = /^(GET|POST) \/orders\/(\d+)/.exec(asked) ?? []
    if (method === 'POST') return changeStatus(Number(id), (JSON.parse(body) as { slug: string }).slug)
    const found = orders.get(Number(id))
    return found ? succeed(written(found).details) : nowhere()
  }

  function answer({ method, headers, url }: Request, body: string): Response {
    const { pathname, searchParams: query } = new URL(url)
    if (pathname === '/oauth2/token') return tokens.answer(new URLSearchParams(body))
    if (!tokens.isGood(headers.get('authorization'))) return unauthorized()
    if (pathname === '/oauth2/user/info') return Response.json({ id: 1, name: 'Lina', merchant: { id: MERCHANT, name: 'Baskets' } })
    const asked = `${method} ${pathname.replace(/^\/admin\/v2/, '')}`
    const failed = broken()
    if (failed) return failed
    if (asked === 'GET /orders')
      return paged(
        sorted(query.get('sort_by')).map((order) => written(order).listed),
        query,
      )
    if (asked === 'GET /webhooks') return paged(hooks.shown(), query)
    if (asked === 'POST /webhooks/subscribe') return succeed(hooks.subscribe(JSON.parse(body) as Hook & { headers: [] }))
    if (asked === 'DELETE /webhooks/unsubscribe') return hooks.end(query.get('url') ?? '') ? succeed({ code: 202 }, {}, 202) : nowhere()
    return answerOf(asked, query, body)
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const { pathname: path, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      requests.push({ at: Date.now(), method: request.method, path, query: search.slice(1), headers, body })
      return answer(request, body)
    },
  })
  const tell = (event: string, data: unknown) => ({ event, merchant: MERCHANT, created_at: 'Fri Nov 20 2026 13:00:00 GMT+0300', data })
  return {
    url: server.url.origin,
    orders,
    edits,
    statuses,
    requests,
    tokens,
    hooks: hooks.all,
    place: (change: Partial<SallaOrder> = {}) => placeOrder(orders, change),
    touch,
    /** What a callback says of an order. */
    news: (order: SallaOrder, event = 'order.updated') => {
      const { details } = written(order)
      return tell(event, event === 'order.status.updated' ? { id: 7, status: details.status.name, order: details } : details)
    },
    /** What easy mode hands over: the tokens that stand, or others. */
    handed: ({ access = tokens.state.access, refresh = tokens.state.refresh, seconds = 14 * 86_400, merchant = MERCHANT } = {}) => ({
      ...tell('app.store.authorize', {
        access_token: access,
        refresh_token: refresh,
        expires: Math.floor(Date.now() / 1000) + seconds,
        scope: 'offline_access orders.read_write',
        token_type: 'bearer',
      }),
      merchant,
    }),
    /** A callback as it is sent: with the headers that were asked for, and signed by the app. */
    sent: (event: object, { secret = 'app-secret', token = '' } = {}) => {
      const body = new TextEncoder().encode(JSON.stringify(event))
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const proof = { 'x-salla-security-strategy': 'Signature', 'x-salla-signature': signature }
      return { headers: { 'content-type': 'application/json', ...(token ? { authorization: token } : proof) }, body }
    },
    fail: (next: Fault) => {
      fault = next
    },
    /** So many calls more, and then none. */
    allow: (calls: number) => {
      left = calls
    },
    calm: () => {
      fault = null
      left = Number.POSITIVE_INFINITY
    },
    stop: () => server.stop(true),
  }
}
