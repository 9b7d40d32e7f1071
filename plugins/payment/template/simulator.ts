/** A checkout of the simulator. The simulator stands in for the gateway's API; make it behave, and fail, as the real one does. */
export interface Kept {
  readonly id: string
  readonly asked: Readonly<Record<string, unknown>>
  status: string
  /** Amount in centimes. */
  paid: number
  at: string
  /** True after a chargeback by the payer's bank. */
  disputed: boolean
  /** Refunds by their idempotency keys. */
  readonly refunds: Map<string, KeptRefund>
}

/** A refund of the simulator. */
export interface KeptRefund {
  readonly id: string
  readonly amount: number
  readonly currency: string
  state: 'waiting' | 'sent' | 'rejected'
}

/** A line of a payout. */
export interface Line {
  readonly id: string
  readonly type: 'sale' | 'refund' | 'rejected_payout'
  readonly amount: number
  readonly fee: number
  readonly currency: string
  readonly checkout?: string
  readonly refund?: string
  readonly payout?: string
}

/** A payout of the simulator. */
export interface KeptPayout {
  readonly id: string
  readonly total: number
  readonly currency: string
  readonly made: string
  readonly due: string
  readonly lines: readonly Line[]
  state: string
}

/** Faults that the simulator can play. */
export type Trouble =
  | 'ignored'
  | 'no_answer'
  | 'lost_answer'
  | 'malformed'
  | 'mumbled'
  | 'error_before'
  | 'error_after'
  | 'redirected'
  | 'rate_limited'

/** A request that the simulator received. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The token that the simulator accepts. */
export const token = 'example-token-0123456789'
const leastAmount = 100
const feePercent = 2
const pageRows = 50

/** Starts a stand-in for the gateway's API, and returns its address, checkouts, calls and controls. */
export function startSimulator() {
  const checkouts = new Map<string, Kept>()
  const calls: Call[] = []
  /** Current fault, and the calls that it concerns (`METHOD /path`). */
  const state = { trouble: undefined as Trouble | undefined, on: '', pageRows, refundsWait: false }
  const payouts: KeptPayout[] = []
  /** Money of rejected payouts, in centimes. */
  const returned: Line[] = []

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method, headers } = request
    const call = { at: Date.now(), method, path, query: search.slice(1), headers: Object.fromEntries(headers), body: await request.text() }
    calls.push(call)
    const isConcerned = state.trouble !== undefined && new RegExp(state.on).test(`${method} ${path}`)
    return isConcerned ? misbehave(() => answer(call)) : answer(call)
  }

  async function misbehave(act: () => Response): Promise<Response> {
    const { trouble } = state
    if (trouble === 'rate_limited') return problem(429, 'too many calls', { 'retry-after': '2' })
    if (trouble === 'redirected') return problem(302, 'over there', { location: '/elsewhere' })
    if (trouble === 'ignored') return new Promise(() => {})
    if (trouble === 'error_before') return problem(500, 'out of order')
    const done = act()
    if (trouble === 'no_answer') return new Promise(() => {})
    if (trouble === 'lost_answer') return torn()
    if (trouble === 'mumbled') return Response.json({ ok: 1 })
    return trouble === 'error_after' ? problem(500, 'out of order') : new Response((await done.text()).slice(0, 5))
  }

  function answer({ method, path, query, headers, body }: Call): Response {
    if (headers.authorization !== `Bearer ${token}`) return problem(401, 'unknown token')
    if (path === '/v1/me') return Response.json({ name: 'Shop' })
    if (`${method} ${path}` === 'POST /v1/checkouts') return make(JSON.parse(body))
    if (path.startsWith('/v1/payouts')) return ofPayouts(path, new URLSearchParams(query))
    const [, id = '', act] = /^\/v1\/checkouts\/([^/]+)(?:\/(close|refunds))?$/.exec(path) ?? []
    const one = checkouts.get(decodeURIComponent(id))
    if (!one) return problem(404, 'no such checkout')
    if (act === 'close') return close(one)
    return act === 'refunds' ? giveBack(one, headers['idempotency-key'] ?? '', JSON.parse(body)) : Response.json(shown(one))
  }

  function make(asked: Kept['asked']): Response {
    if (Number(asked.amount) < leastAmount) return problem(422, 'we take no less than 1.00')
    const id = `ck_${checkouts.size + 1}`
    checkouts.set(id, { id, asked, status: 'waiting', paid: 0, at: new Date().toISOString(), disputed: false, refunds: new Map() })
    return Response.json({ id, url: `https://pay.example.com/${id}` })
  }

  function close(one: Kept): Response {
    if (one.status === 'succeeded') return problem(409, 'it is paid')
    one.status = 'closed'
    return Response.json(shown(one))
  }

  function giveBack(one: Kept, key: string, { amount, currency }: { amount: number; currency: string }): Response {
    const known = one.refunds.get(key)
    if (known) return Response.json({ id: known.id, state: known.state })
    if (one.status !== 'succeeded') return problem(409, 'it is not paid')
    if (amount > one.paid - refundedOf(one)) return problem(422, 'that is more than is left')
    const id = `rf_${one.id}_${one.refunds.size + 1}`
    const refund: KeptRefund = { id, amount, currency, state: state.refundsWait ? 'waiting' : 'sent' }
    one.refunds.set(key, refund)
    return Response.json({ id, state: refund.state })
  }

  function ofPayouts(path: string, query: URLSearchParams): Response {
    if (path === '/v1/payouts') {
      const made = payouts.filter(({ made }) => made >= (query.get('since') ?? ''))
      return pageIn(
        made.map(({ lines: _, ...heading }) => heading),
        query,
      )
    }
    const [, name = ''] = /^\/v1\/payouts\/([^/]+)\/lines$/.exec(path) ?? []
    const one = payouts.find(({ id }) => id === decodeURIComponent(name))
    return one ? pageIn(one.lines, query) : problem(404, 'no such payout')
  }

  function pageIn(all: readonly { readonly id: string }[], query: URLSearchParams): Response {
    const from = all.findIndex(({ id }) => id === query.get('after')) + 1
    const rows = all.slice(from, from + state.pageRows)
    return Response.json({ rows, next: from + rows.length < all.length ? rows.at(-1)?.id : null })
  }

  /** Pays out everything that is owed in dinars. */
  function payOut(): KeptPayout {
    const told = new Set(payouts.flatMap(({ lines }) => lines.map(({ id }) => id)))
    const owed = [...checkouts.values()].filter(({ status }) => status === 'succeeded').flatMap(linesOf)
    const lines = [...owed, ...returned].filter(({ id, currency }) => currency === 'DZD' && !told.has(id))
    const total = lines.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
    const [made, due] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    const one = { id: `po_${payouts.length + 1}`, total, currency: 'DZD', made: String(made), due: String(due), lines, state: 'arrived' }
    payouts.push(one)
    return one
  }

  function movePayout(id: string, word: string) {
    const one = payouts.find((payout) => payout.id === id)
    if (!one) throw new Error(`There is no payout ${id}.`)
    one.state = word
    if (word === 'rejected')
      returned.push({ id: `back_${id}`, type: 'rejected_payout', amount: one.total, fee: 0, currency: one.currency, payout: id })
  }

  return { url: `http://127.0.0.1:${server.port}`, checkouts, calls, state, payouts, payOut, movePayout, stop: () => server.stop(true) }
}

const linesOf = (one: Kept): Line[] => [
  { id: `ln_${one.id}`, type: 'sale', amount: one.paid, fee: feeOf(one), currency: String(one.asked.currency), checkout: one.id },
  ...[...one.refunds.values()]
    .filter(({ state }) => state === 'sent')
    .map(
      ({ id, amount, currency }): Line => ({
        id: `ln_${id}`,
        type: 'refund',
        amount: -amount,
        fee: 0,
        currency,
        checkout: one.id,
        refund: id,
      }),
    ),
]

const refundedOf = ({ refunds }: Kept) =>
  [...refunds.values()].filter(({ state }) => state === 'sent').reduce((sum, { amount }) => sum + amount, 0)
/** Calculates the gateway's fee of a checkout, in centimes. */
export const feeOf = ({ paid }: Kept) => Math.round((paid * feePercent) / 100)

/** Writes a checkout as answers and callbacks contain it. */
export const shown = (one: Kept) => ({
  id: one.id,
  merchantId: one.asked.merchantId,
  status: one.status,
  currency: one.asked.currency,
  paid: one.paid,
  fee: feeOf(one),
  refunded: refundedOf(one),
  disputed: one.disputed,
  at: one.at,
})

/** Builds an answer whose connection closes before its end. */
const torn = () =>
  new Response(
    new ReadableStream({
      async pull(stream) {
        await Bun.sleep(1)
        stream.error(undefined)
      },
    }),
  )

const problem = (status: number, message: string, headers: Record<string, string> = {}) => Response.json({ message }, { status, headers })
