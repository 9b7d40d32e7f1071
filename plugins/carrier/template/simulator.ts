/** A parcel of the simulator. The simulator stands in for the carrier's API; make it behave, and fail, as the real one does. */
export interface Parcel {
  readonly tracking: string
  readonly reference: string
  readonly name: string
  readonly phone: string
  readonly state: string
  readonly city: string
  readonly address: string
  readonly contents: string
  readonly notes: string
  /** Amount in dinars. */
  readonly cash: number
  status: string
  at: string
}

/** Faults of the next submission. In some of them the parcel is accepted all the same. */
export type Trouble = 'ignored' | 'no_answer' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'error_after' | 'rate_limited'

/** A request that the simulator received. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Most rows of a list. */
const LISTED_MAX = 50

/** The token that the simulator accepts. */
export const token = 'example-token-0123456789'

/** Starts a stand-in for the carrier's API, and returns its address, parcels, calls and controls. */
export function startSimulator() {
  const parcels = new Map<string, Parcel>()
  const calls: Call[] = []
  const state = { trouble: undefined as Trouble | undefined, garbled: undefined as 'malformed' | 'mumbled' | undefined }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const { method, headers } = request
    const body = await request.clone().text()
    calls.push({ at: Date.now(), method, path: url.pathname, query: url.search.slice(1), headers: Object.fromEntries(headers), body })
    if (request.headers.get('authorization') !== `Bearer ${token}`) return problem(401, 'unknown token')
    if (request.method === 'POST') return misbehave(() => take(request), (await request.clone().json()) as { city?: string })
    if (state.garbled) return state.garbled === 'mumbled' ? Response.json({ ok: 1 }) : new Response('<html>maintenance')
    if (url.pathname === '/v1/me') return Response.json({ name: 'Shop' })
    if (request.method === 'DELETE') return cancel(decodeURIComponent(url.pathname.split('/').at(-1)!))
    const [tracking, reference] = [url.searchParams.get('tracking')?.split(','), url.searchParams.get('reference')]
    if (tracking && tracking.length > LISTED_MAX) return problem(400, 'too many numbers')
    const found = [...parcels.values()].filter((parcel) => (tracking ? tracking.includes(parcel.tracking) : parcel.reference === reference))
    return Response.json({ parcels: found })
  }

  async function misbehave(act: () => Promise<Response>, body: { city?: string }): Promise<Response> {
    const trouble = state.trouble
    if (body.city?.startsWith('Xyzzy')) return problem(422, 'unknown city')
    if (trouble === 'rate_limited') return problem(429, 'too many calls', { 'retry-after': '2' })
    if (trouble === 'ignored') return new Promise(() => {})
    if (trouble === 'error_before') return problem(500, 'out of order')
    const taken = await act()
    if (trouble === 'no_answer') return new Promise(() => {})
    if (trouble === 'lost_answer') return torn()
    if (trouble === 'mumbled') return Response.json({ ok: 1 })
    if (trouble === 'error_after') return problem(500, 'out of order')
    return trouble === 'malformed' ? new Response('{"trac') : taken
  }

  async function take(request: Request): Promise<Response> {
    const sent = (await request.json()) as Omit<Parcel, 'tracking' | 'status' | 'at'>
    if (sent.city === 'Nowhere') return problem(422, 'we do not deliver there')
    const tracking = `EX${String(parcels.size + 1).padStart(6, '0')}`
    parcels.set(tracking, { ...sent, tracking, status: 'registered', at: new Date().toISOString() })
    return Response.json({ tracking })
  }

  function cancel(tracking: string): Response {
    const parcel = parcels.get(tracking)
    if (!parcel) return problem(404, 'no such parcel')
    if (parcel.status !== 'registered') return problem(409, 'it is on its way')
    parcels.delete(tracking)
    return Response.json({})
  }

  return { url: `http://127.0.0.1:${server.port}`, parcels, calls, state, stop: () => server.stop(true) }
}

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
