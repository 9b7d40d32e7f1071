import type { Fault, Script } from 'serai/model/acceptance'

/** A request that the simulator received. */
export interface Call {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The key that the simulator accepts. */
export const key = 'example-key-0123456789'
const ends = { stop: 'done', length: 'too_long', tools: 'tools', refused: 'not_allowed' } as const

/** Starts a stand-in for the provider's API. Make it behave, and fail, as the real one does. */
export function startSimulator() {
  const calls: Call[] = []
  const state = { script: {} as Script, fault: undefined as Fault | undefined, left: 0 }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method, headers } = request
    calls.push({ at: Date.now(), method, path, query: search.slice(1), headers: Object.fromEntries(headers), body: await request.text() })
    if (headers.get('authorization') !== `Bearer ${key}`) return problem(401, 'unknown key')
    if (path === '/v1/models')
      return Response.json({ models: [{ name: 'small', window: 8000, priceIn: '0.0000001', priceOut: '0.0000004' }] })
    if (state.fault === 'rate_limited') return problem(429, 'too many', { 'retry-after': '2' })
    if (state.fault === 'error_before') return problem(500, 'out of order')
    request.signal.addEventListener('abort', () => {
      state.left += 1
    })
    return new Response(written(state.script, state.fault))
  }

  return { url: `http://127.0.0.1:${server.port}`, calls, state, stop: () => server.stop(true) }
}

const problem = (status: number, message: string, headers = {}) => Response.json({ message }, { status, headers })

/** Splits lines of JSON at arbitrary places, as a network does. */
async function* written({ pieces = [], toolCalls = [], ending = 'stop', usage }: Script, fault: Fault | undefined) {
  const said = [{ id: 'g-1' }, ...pieces.map((text) => ({ text }))]
  const half = said.slice(0, Math.ceil(said.length / 2))
  const called = toolCalls.map(({ id, name, arguments: input, carry: mark }) => ({ call: { id, name, input, mark } }))
  const rest = [...called, { used: { in: usage?.inputTokens ?? 1, out: usage?.outputTokens ?? 1 } }, { end: ends[ending] }]
  const inside = fault === 'error_inside' ? [...half, { error: 'overloaded' }] : undefined
  const lines = inside ?? (fault === 'cut' || fault === 'hang' ? half : [...said, ...rest])
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  for (let at = 0; at < bytes.length; at += 7) {
    yield bytes.slice(at, at + 7)
    await Bun.sleep(0)
  }
  if (fault === 'hang') await new Promise(() => {})
}
