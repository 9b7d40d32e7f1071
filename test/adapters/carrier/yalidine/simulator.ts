import { dice, type Faults, misbehaving, noFaults, problem } from '../../../support/simulator/faults.ts'
import { labelPdf } from '../../../support/simulator/pdf.ts'
import { answer } from './simulator/api.ts'
import { type Callback, callbacks, type EventInput, type EventType } from './simulator/callbacks.ts'
import { control } from './simulator/control.ts'
import { createBooks, LABELS, type Parcel } from './simulator/parcels.ts'
import { type Limits, quota, usualLimits } from './simulator/quota.ts'

export type { Callback, EventInput, EventType, Faults, Limits, Parcel }
export { noFaults, usualLimits }

export interface YalidineOptions {
  readonly port?: number
  /** The keys that work, token by id. */
  readonly accounts?: Readonly<Record<string, string>>
  readonly webhookSecret?: string
  /** Off unless given: tests are faster than five calls a second. */
  readonly limits?: Limits | null
  readonly faults?: Partial<Faults>
  readonly seed?: number
  readonly now?: () => number
  /** What wrong keys are answered with; both have been seen. */
  readonly badKeys?: 401 | 500
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly apiId: string | null
  readonly headers: Headers
  readonly body: string
  readonly at: number
}

export interface Yalidine extends ReturnType<typeof callbacks> {
  readonly url: string
  readonly host: string
  readonly credentials: { readonly apiId: string; readonly apiToken: string; readonly webhookSecret: string }
  readonly requests: readonly Asked[]
  /** May be changed while it runs. */
  readonly faults: Faults
  /** What stands where labels are printed; both are told of it. May be changed while it runs. */
  readonly habits: { labels: 'page' | 'file' }
  calm(): void
  setLimits(limits: Limits | null): void
  parcels(orderId?: string): Parcel[]
  /** Moves a parcel to a raw status at a time of the carrier's clock. */
  advance(tracking: string, status: string, more?: { reason?: string; at?: string }): Parcel
  /** Moves the money of a parcel: `not-ready`, `ready`, `receivable`, `payed`. */
  pay(tracking: string, status: string, paymentId?: string): Parcel
  reset(): void
  stop(): Promise<void>
}

const maxRequests = 20_000
const accounts: Readonly<Record<string, string>> = { 'sim-api-id-001': 'sim-api-token-a1b2c3d4e5f6' }

/** The carrier's side of the wire as its documentation describes it, over a real socket. */
export function startYalidine(options: YalidineOptions = {}): Yalidine {
  const now = options.now ?? Date.now
  const keys = options.accounts ?? accounts
  const books = createBooks(now)
  const requests: Asked[] = []
  const faults: Faults = { ...noFaults, ...options.faults }
  const habits: Yalidine['habits'] = { labels: 'page' }
  const webhookSecret = options.webhookSecret ?? 'sim-webhook-secret-0123456789'
  let limits = options.limits ?? null
  const roll = dice(options.seed ?? 1)
  const measure = quota(() => limits, now)

  const parcelOf = (tracking: string): Parcel => {
    const parcel = books.get(tracking)
    if (!parcel) throw new Error(`The simulator has no parcel ${tracking}.`)
    return parcel
  }

  async function api(request: Request, url: URL): Promise<Response> {
    const [apiId, body] = [request.headers.get('x-api-id'), await request.text()]
    const path = url.pathname.slice('/v1/'.length).split('/').filter(Boolean).map(decodeURIComponent)
    if (requests.length >= maxRequests) requests.splice(0, maxRequests / 2)
    requests.push({ method: request.method, path: url.pathname + url.search, apiId, headers: request.headers, body, at: now() })
    if (!apiId || keys[apiId] === undefined || keys[apiId] !== request.headers.get('x-api-token')) {
      return problem(options.badKeys ?? 401, 'Invalid API keys')
    }
    const { headers, retryAfter } = measure(apiId)
    if (retryAfter !== undefined) return problem(429, 'Too many requests', { ...headers, 'retry-after': String(retryAfter) })
    const act = () => answer(books, { method: request.method, path, query: url.searchParams, body })
    const concerned = new RegExp(faults.on).test(`${request.method} ${url.pathname}`)
    const response = concerned ? await misbehaving(faults, roll, act) : act()
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }

  function label(tracking: string): Response {
    if (!books.get(tracking)) return problem(404, 'Not found')
    return habits.labels === 'file' ? labelPdf(tracking) : new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  }

  const server: Bun.Server<undefined> = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      const url = new URL(request.url)
      if (url.pathname.startsWith('/_control/')) return control(simulator, request, url)
      if (url.pathname.startsWith(LABELS)) return label(url.pathname.slice(LABELS.length))
      return url.pathname.startsWith('/v1/') ? api(request, url) : problem(404, 'Not found')
    },
    error: (error) => problem(500, error.message),
  })

  const simulator: Yalidine = {
    url: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    credentials: { apiId: Object.keys(keys)[0]!, apiToken: Object.values(keys)[0]!, webhookSecret },
    requests,
    faults,
    habits,
    calm: () => void Object.assign(faults, noFaults),
    setLimits(changed) {
      limits = changed
    },
    parcels: (orderId) => (orderId === undefined ? books.all() : books.ofOrder(orderId)),
    advance(tracking, status, { reason = '', at } = {}) {
      const parcel = parcelOf(tracking)
      parcel.history.push({ status, reason, at: at === undefined ? now() : Date.parse(at) })
      parcel.history.sort((a, b) => a.at - b.at)
      return parcel
    },
    pay(tracking, status, paymentId) {
      const parcel = parcelOf(tracking)
      parcel.paymentStatus = status
      parcel.paymentId = paymentId ?? parcel.paymentId
      return parcel
    },
    ...callbacks(books, webhookSecret, now),
    reset() {
      books.clear()
      requests.length = 0
      habits.labels = 'page'
      simulator.calm()
    },
    stop: () => server.stop(true),
  }
  return simulator
}

if (import.meta.main) {
  const { parseArgs } = await import('node:util')
  const { values } = parseArgs({
    options: { port: { type: 'string' }, limits: { type: 'boolean' }, seed: { type: 'string' } },
  })
  const { url } = startYalidine({
    port: Number(values.port ?? 0),
    limits: values.limits ? usualLimits : null,
    seed: Number(values.seed ?? 1),
  })
  console.log(url)
}
