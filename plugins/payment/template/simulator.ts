/** The gateway's side of the wire, in memory, as far as the adapter needs it: make it behave, and misbehave, as the real one does. */
export interface Kept {
  readonly id: string
  readonly asked: Readonly<Record<string, unknown>>
  status: string
  /** In centimes. */
  paid: number
  at: string
  /** By the key that was given with each. */
  readonly refunds: Map<string, { readonly id: string; readonly amount: number; readonly currency: string }>
}

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

/** One request, as it came. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const token = 'example-token-0123456789'
const leastAmount = 100
const feePercent = 2

export function startSimulator() {
  const checkouts = new Map<string, Kept>()
  const calls: Call[] = []
  /** What goes wrong, and with which calls (`METHOD /path`). */
  const state = { trouble: undefined as Trouble | undefined, on: '' }

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

  function answer({ method, path, headers, body }: Call): Response {
    if (headers.authorization !== `Bearer ${token}`) return problem(401, 'unknown token')
    if (path === '/v1/me') return Response.json({ name: 'Shop' })
    if (`${method} ${path}` === 'POST /v1/checkouts') return make(JSON.parse(body))
    const [, id = '', act] = /^\/v1\/checkouts\/([^/]+)(?:\/(close|refunds))?$/.exec(path) ?? []
    const one = checkouts.get(decodeURIComponent(id))
    if (!one) return problem(404, 'no such checkout')
    if (act === 'close') return close(one)
    return act === 'refunds' ? giveBack(one, headers['idempotency-key'] ?? '', JSON.parse(body)) : Response.json(shown(one))
  }

  function make(asked: Kept['asked']): Response {
    if (Number(asked.amount) < leastAmount) return problem(422, 'we take no less than 1.00')
    const id = `ck_${checkouts.size + 1}`
    checkouts.set(id, { id, asked, status: 'waiting', paid: 0, at: new Date().toISOString(), refunds: new Map() })
    return Response.json({ id, url: `https://pay.example.com/${id}` })
  }

  function close(one: Kept): Response {
    if (one.status === 'succeeded') return problem(409, 'it is paid')
    one.status = 'closed'
    return Response.json(shown(one))
  }

  function giveBack(one: Kept, key: string, { amount, currency }: { amount: number; currency: string }): Response {
    const known = one.refunds.get(key)
    if (known) return Response.json({ id: known.id })
    if (one.status !== 'succeeded') return problem(409, 'it is not paid')
    if (amount > one.paid - refundedOf(one)) return problem(422, 'that is more than is left')
    const id = `rf_${one.id}_${one.refunds.size + 1}`
    one.refunds.set(key, { id, amount, currency })
    return Response.json({ id })
  }

  return { url: `http://127.0.0.1:${server.port}`, checkouts, calls, state, stop: () => server.stop(true) }
}

const refundedOf = ({ refunds }: Kept) => [...refunds.values()].reduce((sum, { amount }) => sum + amount, 0)
export const feeOf = ({ paid }: Kept) => Math.round((paid * feePercent) / 100)

/** A checkout as it answers it, and tells it in callbacks. */
export const shown = (one: Kept) => ({
  id: one.id,
  merchantId: one.asked.merchantId,
  status: one.status,
  currency: one.asked.currency,
  paid: one.paid,
  fee: feeOf(one),
  refunded: refundedOf(one),
  at: one.at,
})

/** An answer whose connection closes under it. */
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
