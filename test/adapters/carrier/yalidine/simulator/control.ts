import { problem } from '../../../../support/simulator/faults.ts'
import type { Yalidine } from '../simulator.ts'

type Body = Readonly<Record<string, unknown>>
type Act = (simulator: Yalidine, body: Body, query: URLSearchParams) => unknown

const word = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The simulator from outside its process: `METHOD name` below `/_control/`. */
const acts: Readonly<Record<string, Act>> = {
  'GET account': ({ credentials }) => ({ credentials }),
  'GET parcels': (simulator, _, query) => simulator.parcels(query.get('order_id') ?? undefined),
  'GET requests': (simulator) => simulator.requests.map(({ headers, ...asked }) => ({ ...asked, headers: Object.fromEntries(headers) })),
  'GET faults': (simulator) => simulator.faults,
  'POST faults': (simulator, body) => Object.assign(simulator.faults, body),
  'POST reset': (simulator) => simulator.reset(),
  'POST advance': (simulator, { tracking, status, reason, at }) =>
    simulator.advance(String(tracking), String(status), {
      ...(word(reason) !== undefined && { reason: String(reason) }),
      ...(word(at) !== undefined && { at: String(at) }),
    }),
  'POST pay': (simulator, { tracking, status, paymentId }) => simulator.pay(String(tracking), String(status), word(paymentId)),
  'POST crc': async (simulator, { url, token }) => ({ proven: await simulator.crc(String(url), word(token)) }),
  'POST callback': (simulator, { url, type, events }) => {
    const callback = simulator.callback(type as never, events as never)
    if (word(url) !== undefined) return simulator.deliver(String(url), callback)
    return { headers: callback.headers, body: new TextDecoder().decode(callback.body) }
  },
}

export async function control(simulator: Yalidine, request: Request, url: URL): Promise<Response> {
  const act = acts[`${request.method} ${url.pathname.slice('/_control/'.length)}`]
  if (!act) return problem(404, `Known are: ${Object.keys(acts).join(', ')}`)
  try {
    const body = request.method === 'POST' ? ((await request.json().catch(() => ({}))) as Body) : {}
    return Response.json((await act(simulator, body, url.searchParams)) ?? null)
  } catch (error) {
    return problem(400, String(error))
  }
}
