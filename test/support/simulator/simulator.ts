import { parseArgs } from 'node:util'
import { dice, type Faults, misbehaving, noFaults, problem } from './faults.ts'

/** One request as a simulated API reads it. */
export interface Call {
  readonly method: string
  /** Below the host, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: string
  /** When it arrived, on the simulator's clock. */
  readonly at: number
}

export interface SimulatorOptions {
  readonly port?: number
  readonly seed?: number
  readonly now?: () => number
  readonly faults?: Partial<Faults>
  /** At most `calls` in any `seconds`, measured as they arrive; off unless given. */
  readonly windows?: readonly { readonly calls: number; readonly seconds: number }[]
}

export interface Simulator {
  readonly url: string
  /** What was asked, oldest first, at most 20,000. */
  readonly requests: readonly Call[]
  /** May be changed while it runs. */
  readonly faults: Faults
  readonly now: () => number
  /** How often a rate window was broken. */
  readonly broken: () => number
  calm(): void
  stop(): Promise<void>
}

/** What one carrier's simulator adds: its API, which requests its faults concern unless said otherwise, and acts for other processes. */
export interface Behaviour {
  /** A regular expression over `METHOD /path`. */
  readonly faultsOn: string
  /** The API itself, apart from faults and windows. Called at most once for a request. */
  answer(call: Call): Response | Promise<Response>
  /** `METHOD name` below `/_control/`, for a test in another process. */
  readonly control?: Readonly<Record<string, (body: Readonly<Record<string, unknown>>, query: URLSearchParams) => unknown>>
}

const REQUESTS_MAX = 20_000

/** A carrier's side of the wire over a real socket: its API, its rate windows, and its bad days. */
export function startSimulator(options: SimulatorOptions, behaviour: Behaviour): Simulator {
  const now = options.now ?? Date.now
  const usual: Faults = { ...noFaults, on: behaviour.faultsOn }
  const faults: Faults = { ...usual, ...options.faults }
  const roll = dice(options.seed ?? 1)
  const requests: Call[] = []
  const arrivals: number[] = []
  let broken = 0

  /** Seconds to wait, where a window is full. */
  function overQuota(at: number): number | undefined {
    const waits = (options.windows ?? []).flatMap(({ calls, seconds }) => {
      const since = at - seconds * 1000
      const inside = arrivals.filter((time) => time > since)
      return inside.length < calls ? [] : [Math.max(1, Math.ceil((inside.at(-calls)! + seconds * 1000 - at) / 1000))]
    })
    if (waits.length > 0) return Math.max(...waits)
    arrivals.push(at)
    return undefined
  }

  async function api(request: Request, url: URL): Promise<Response> {
    const call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await request.text(),
      at: now(),
    }
    if (requests.length >= REQUESTS_MAX) requests.splice(0, REQUESTS_MAX / 2)
    requests.push(call)
    const wait = overQuota(call.at)
    if (wait !== undefined) {
      broken += 1
      return problem(429, 'Too Many Attempts.', { 'retry-after': String(wait) })
    }
    const concerned = new RegExp(faults.on).test(`${call.method} ${call.path}`)
    return concerned ? misbehaving(faults, roll, () => behaviour.answer(call)) : behaviour.answer(call)
  }

  const acts: Behaviour['control'] = {
    'GET requests': () =>
      requests.map(({ headers, query, ...call }) => ({ ...call, query: String(query), headers: Object.fromEntries(headers) })),
    'GET broken': () => ({ broken }),
    'POST faults': (body) => Object.assign(faults, body),
    'POST calm': () => Object.assign(faults, usual),
    ...behaviour.control,
  }

  async function control(request: Request, url: URL): Promise<Response> {
    const act = acts![`${request.method} ${url.pathname.slice('/_control/'.length)}`]
    if (!act) return problem(404, `Known are: ${Object.keys(acts!).join(', ')}`)
    const body = request.method === 'POST' ? ((await request.json().catch(() => ({}))) as Record<string, unknown>) : {}
    try {
      return Response.json((await act(body, url.searchParams)) ?? null)
    } catch (error) {
      return problem(400, String(error))
    }
  }

  const server: Bun.Server<undefined> = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => {
      const url = new URL(request.url)
      return url.pathname.startsWith('/_control/') ? control(request, url) : api(request, url)
    },
    error: (error) => problem(500, error.message),
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    faults,
    now,
    broken: () => broken,
    calm: () => void Object.assign(faults, usual),
    stop: () => server.stop(true),
  }
}

/** What every simulator that runs as a process of its own takes from its command line; it prints its address. */
export function runSimulator(start: (options: SimulatorOptions) => { readonly url: string }) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, seed: { type: 'string' } } })
  console.log(start({ port: Number(values.port ?? 0), seed: Number(values.seed ?? 1) }).url)
}
