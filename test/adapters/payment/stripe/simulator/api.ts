import type { Call } from '../../../../support/simulator/simulator.ts'
import { type Balance, shownPayout, shownTransaction } from './balance.ts'
import { type Books, type RefundStatus, Refusal, shownRefund, shownSession } from './books.ts'
import { type Json, nested } from './form.ts'

export interface Habits {
  /** What refunds become that are asked for. */
  refundStatus: RefundStatus
  /** The calls that are sent on to somewhere else, as a pattern over `METHOD /path`. */
  redirects: string | undefined
  /** Whether somebody else is doing the same at this moment. */
  isBusy: boolean
  /** Keys are forgotten after a day. */
  forgetsKeys: boolean
  /** Most rows of a page, whatever was asked for. */
  pageMax: number
}

interface Kept {
  readonly question: string
  readonly answer: Json
}

const said = (answer: Json, headers: Record<string, string> = {}) => Response.json(answer, { headers })

const failed = (status: number, type: string, message: string, more: Json = {}) =>
  Response.json({ error: { type, message, ...more } }, { status })

/** The API of one account: forms in, JSON out, and under one key the same answer. */
export function createApi(books: Books, balance: Balance, secretKey: string, habits: Habits) {
  const answered = new Map<string, Kept>()

  return async function answer(call: Call): Promise<Response> {
    if (habits.redirects !== undefined && new RegExp(habits.redirects).test(`${call.method} ${call.path}`))
      return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
    if (call.headers.get('authorization') !== `Bearer ${secretKey}`)
      return failed(401, 'invalid_request_error', 'Invalid API Key provided.')
    if (!/^\d{4}-\d\d-\d\d\.[a-z]+$/.test(call.headers.get('stripe-version') ?? ''))
      return failed(400, 'invalid_request_error', 'Invalid Stripe API version.')
    try {
      return call.method === 'POST' ? posted(call) : said(got(call))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, param } = error
      return failed(error.status, 'invalid_request_error', error.message, { ...(code && { code }), ...(param && { param }) })
    }
  }

  function posted(call: Call): Response {
    if (!/^application\/x-www-form-urlencoded\b/.test(call.headers.get('content-type') ?? ''))
      return failed(400, 'invalid_request_error', 'Invalid request: send a form.')
    const key = habits.forgetsKeys ? null : call.headers.get('idempotency-key')
    const question = `${call.path}\n${call.body}`
    const before = key === null ? undefined : answered.get(key)
    if (key !== null && habits.isBusy)
      return failed(409, 'idempotency_error', 'There is currently another in-progress request using this key.', {
        code: 'idempotency_key_in_use',
      })
    if (before && before.question !== question)
      return failed(400, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters.')
    // The first answer again, as it was: whatever became of it since.
    if (before) return said(before.answer, { 'idempotent-replayed': 'true' })
    const made = making(call)
    if (key !== null) answered.set(key, { question, answer: made })
    return said(made)
  }

  function making({ path, body }: Call): Json {
    const [, id, act] = /^\/v1\/checkout\/sessions\/([^/]+)\/([a-z]+)$/.exec(path) ?? []
    if (id !== undefined && act === 'expire') return shownSession(books.expire(decodeURIComponent(id)), { expanded: false })
    if (path === '/v1/checkout/sessions') return shownSession(books.create(nested(body)), { expanded: false })
    if (path !== '/v1/refunds') throw unknown(path)
    const { session, refund } = books.refund(nested(body), habits.refundStatus)
    return shownRefund(session, refund)
  }

  function got(call: Call): Json {
    return inBalance(call) ?? inBooks(call)
  }

  /** Payouts, and what went through the balance. */
  function inBalance({ path, query }: Call): Json | undefined {
    const [, payout] = /^\/v1\/payouts\/([^/]+)$/.exec(path) ?? []
    if (payout !== undefined) return shownPayout(balance.getPayout(decodeURIComponent(payout)))
    if (path === '/v1/payouts') {
      const since = Number(query.get('created[gte]') ?? 0)
      return pageIn(
        query,
        balance.payouts().filter(({ created }) => created >= since),
        shownPayout,
      )
    }
    if (path !== '/v1/balance_transactions') return undefined
    const isExpanded = query.getAll('expand[]').includes('data.source')
    return pageIn(query, balance.linesOf(query.get('payout') ?? ''), (one) => shownTransaction(one, { expanded: isExpanded }))
  }

  /** What is asked to begin after something that is not there is refused. */
  function pageIn<R extends { readonly id: string }>(query: URLSearchParams, rows: readonly R[], shown: (row: R) => Json): Json {
    const after = query.get('starting_after')
    const from = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1
    if (after !== null && from === 0) throw new Refusal(`No such object: '${after}'`, 'resource_missing', 'starting_after')
    return listOf(rows.slice(from).map(shown), Math.min(Number(query.get('limit') ?? 10), habits.pageMax))
  }

  function inBooks({ path, query }: Call): Json {
    const isExpanded = query
      .getAll('expand[]')
      .concat(query.getAll('expand[0]'))
      .some((name) => name.startsWith('payment_intent'))
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(path) ?? []
    if (id !== undefined) return shownSession(books.get(decodeURIComponent(id)), { expanded: isExpanded })
    const intent = query.get('payment_intent')
    const limit = Number(query.get('limit') ?? 10)
    if (path === '/v1/checkout/sessions') {
      const found = intent === null ? books.all().toReversed() : [books.ofIntent(intent) ?? []].flat()
      return listOf(
        found.map((one) => shownSession(one, { expanded: false })),
        limit,
      )
    }
    const one = books.ofIntent(intent)
    if (path !== '/v1/refunds') throw unknown(path)
    return listOf(
      (one?.refunds ?? []).toReversed().map((refund) => (one ? shownRefund(one, refund) : {})),
      limit,
    )
  }
}

const unknown = (path: string) => new Refusal(`Unrecognized request URL (${path}).`, null, null, 404)

const listOf = (rows: readonly Json[], limit: number): Json => ({
  object: 'list',
  data: rows.slice(0, limit),
  has_more: rows.length > limit,
  url: '/v1',
})
