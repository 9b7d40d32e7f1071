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

/** State of the stand-in. The suite reads and changes it. */
interface World {
  readonly checkouts: Map<string, Kept>
  readonly payouts: KeptPayout[]
  /** Money of rejected payouts, in centimes. */
  readonly returned: Line[]
  /** Current fault, and the calls that it concerns (`METHOD /path`). */
  readonly state: { trouble: Trouble | undefined; on: string; pageRows: number; refundsWait: boolean }
}

/** Starts a stand-in for the gateway's API, and returns its address, checkouts, calls and controls. */
export function startSimulator() {
  const calls: Call[] = []
  const state = { trouble: undefined, on: '', pageRows, refundsWait: false }
  const world: World = { checkouts: new Map(), payouts: [], returned: [], state }

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method, headers } = request
    const call = { at: Date.now(), method, path, query: search.slice(1), headers: Object.fromEntries(headers), body: await request.text() }
    calls.push(call)
    const { trouble, on } = world.state
    const isConcerned = trouble !== undefined && new RegExp(on).test(`${method} ${path}`)
    return isConcerned ? misbehave(trouble, () => answer(world, call)) : answer(world, call)
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })
  return {
    ...world,
    url: `http://127.0.0.1:${server.port}`,
    calls,
    payOut: () => payOut(world),
    movePayout: (id: string, word: string) => movePayout(world, id, word),
    stop: () => server.stop(true),
  }
}

async function misbehave(trouble: Trouble, act: () => Response): Promise<Response> {
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

function answer(world: World, { method, path, query, headers, body }: Call): Response {
  if (headers.authorization !== `Bearer ${token}`) return problem(401, 'unknown token')
  if (path === '/v1/me') return Response.json({ name: 'Shop' })
  if (`${method} ${path}` === 'POST /v1/checkouts') return createCheckout(world, JSON.parse(body))
  if (path.startsWith('/v1/payouts')) return answerPayouts(world, path, new URLSearchParams(query))
  const [, id = '', act] = /^\/v1\/checkouts\/([^/]+)(?:\/(close|refunds))?$/.exec(path) ?? []
  const one = world.checkouts.get(decodeURIComponent(id))
  if (!one) return problem(404, 'no such checkout')
  if (act === 'close') return closeCheckout(one)
  return act === 'refunds' ? createRefund(world, one, headers['idempotency-key'] ?? '', JSON.parse(body)) : Response.json(shown(one))
}

function createCheckout({ checkouts }: World, asked: Kept['asked']): Response {
  if (Number(asked.amount) < leastAmount) return problem(422, 'we take no less than 1.00')
  const id = `ck_${checkouts.size + 1}`
  checkouts.set(id, { id, asked, status: 'waiting', paid: 0, at: new Date().toISOString(), disputed: false, refunds: new Map() })
  return Response.json({ id, url: `https://pay.example.com/${id}` })
}

function closeCheckout(one: Kept): Response {
  if (one.status === 'succeeded') return problem(409, 'it is paid')
  one.status = 'closed'
  return Response.json(shown(one))
}

function createRefund({ state }: World, one: Kept, key: string, { amount, currency }: { amount: number; currency: string }): Response {
  const known = one.refunds.get(key)
  if (known) return Response.json({ id: known.id, state: known.state })
  if (one.status !== 'succeeded') return problem(409, 'it is not paid')
  if (amount > one.paid - refundedOf(one)) return problem(422, 'that is more than is left')
  const id = `rf_${one.id}_${one.refunds.size + 1}`
  const refund: KeptRefund = { id, amount, currency, state: state.refundsWait ? 'waiting' : 'sent' }
  one.refunds.set(key, refund)
  return Response.json({ id, state: refund.state })
}

function answerPayouts({ payouts, state }: World, path: string, query: URLSearchParams): Response {
  if (path === '/v1/payouts') {
    const made = payouts.filter(({ made }) => made >= (query.get('since') ?? ''))
    const headings = made.map(({ lines: _, ...heading }) => heading)
    return pageOf(headings, query, state.pageRows)
  }
  const [, name = ''] = /^\/v1\/payouts\/([^/]+)\/lines$/.exec(path) ?? []
  const one = payouts.find(({ id }) => id === decodeURIComponent(name))
  return one ? pageOf(one.lines, query, state.pageRows) : problem(404, 'no such payout')
}

function pageOf(all: readonly { readonly id: string }[], query: URLSearchParams, size: number): Response {
  const from = all.findIndex(({ id }) => id === query.get('after')) + 1
  const rows = all.slice(from, from + size)
  return Response.json({ rows, next: from + rows.length < all.length ? rows.at(-1)?.id : null })
}

/** Pays out everything that is owed in dinars. */
function payOut({ checkouts, payouts, returned }: World): KeptPayout {
  const paidOut = new Set(payouts.flatMap(({ lines }) => lines.map(({ id }) => id)))
  const owed = [...checkouts.values()].filter(({ status }) => status === 'succeeded').flatMap(linesOf)
  const lines = [...owed, ...returned].filter(({ id, currency }) => currency === 'DZD' && !paidOut.has(id))
  const total = lines.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
  const [made, due] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const one = { id: `po_${payouts.length + 1}`, total, currency: 'DZD', made: String(made), due: String(due), lines, state: 'arrived' }
  payouts.push(one)
  return one
}

function movePayout({ payouts, returned }: World, id: string, word: string) {
  const one = payouts.find((payout) => payout.id === id)
  if (!one) throw new Error(`There is no payout ${id}.`)
  one.state = word
  if (word === 'rejected')
    returned.push({ id: `back_${id}`, type: 'rejected_payout', amount: one.total, fee: 0, currency: one.currency, payout: id })
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
