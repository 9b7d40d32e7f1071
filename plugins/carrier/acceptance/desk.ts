import { checkFields, withDefaults } from '../../fields.ts'
import type { Carrier, CarrierContext, FetchInit, Memory, Shipment } from '../contract.ts'
import type { Desk, DeskOptions } from './rig.ts'

const maxNote = 64 * 1024
const usualDeadlineMs = 10_000

/** A connection's note-book, kept in this process as JSON. */
export function memory(): Memory {
  const notes = new Map<string, string>()
  const written = (value: unknown) => {
    const text = JSON.stringify(value)
    if (text.length > maxNote) throw new Error(`A note of ${text.length} bytes is too long.`)
    return text
  }
  return {
    get: async (key) => JSON.parse(notes.get(key) ?? 'null') ?? undefined,
    set: async (key, value) => void notes.set(key, written(value)),
    add: async (key, value) => !notes.has(key) && notes.set(key, written(value)).has(key),
    delete: async (key) => void notes.delete(key),
    list: async (prefix, { after = '', limit = 1000 } = {}) =>
      [...notes]
        .filter(([key]) => key.startsWith(prefix) && key > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([key, text]) => ({ key, value: JSON.parse(text) as unknown })),
  }
}

export interface Connection extends DeskOptions {
  readonly now?: () => number
}

/** A connection over real sockets. `origins` says where a declared host is answered; nothing else can be reached. */
export function openDesk(carrier: Carrier, origins: Readonly<Record<string, string>>, given: Connection): Desk {
  const credentials = given.credentials ?? {}
  const settings = given.settings ?? {}
  const problems = [
    ...checkFields(carrier.credentials, credentials, '/credentials'),
    ...checkFields(carrier.settings, settings, '/settings'),
  ]
  if (problems.length > 0) throw new Error(JSON.stringify(problems))

  const logged: unknown[] = []
  const asked: string[] = []
  const undeclared: string[] = []
  const signal = AbortSignal.timeout(given.deadlineMs ?? usualDeadlineMs)
  const reach = (url: string, init?: FetchInit) => {
    const { host } = new URL(url)
    asked.push(host)
    if (!isDeclared(host, carrier.net)) undeclared.push(host)
    return fetchAt(origins, carrier.net, signal, url, init)
  }
  const context: CarrierContext = {
    storeId: 'sto_rig',
    connectionId: given.connectionId ?? 'int_rig',
    credentials: withDefaults(carrier.credentials, credentials) as CarrierContext['credentials'],
    settings: withDefaults(carrier.settings, settings) as CarrierContext['settings'],
    fetch: reach,
    memory: given.memory ?? memory(),
    log: (message, fields = {}) => void logged.push({ message, fields }),
    now: given.now ?? Date.now,
    signal,
  }
  return { context, logged, asked, undeclared }
}

async function fetchAt(
  origins: Readonly<Record<string, string>>,
  net: readonly string[],
  signal: AbortSignal,
  url: string,
  { method = 'GET', headers = {}, body, timeoutMs = 20_000, followRedirects = false }: FetchInit = {},
): Promise<Response> {
  const { protocol, host, origin: asked, pathname, search } = new URL(url)
  if (protocol !== 'https:' || !isDeclared(host, net)) throw new Error(`${protocol}//${host} is not declared.`)
  const origin = origins[host]
  if (origin === undefined) throw new Error(`Nobody answers for ${host} here.`)
  const answer = await fetch(origin + pathname + search, {
    method,
    headers,
    ...(body !== undefined && { body: body as string }),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const location = answer.headers.get('location')
  if (!followRedirects || !location || answer.status < 300 || answer.status > 399) return answer
  const next = new URL(location, asked + pathname)
  // As the server's gateway does: credentials stay with their host.
  const kept = next.origin === asked ? headers : {}
  return fetchAt(origins, net, signal, next.href, { headers: kept, timeoutMs, followRedirects })
}

const isDeclared = (host: string, net: readonly string[]) =>
  net.some((pattern) => pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))))

let count = 0
const tag = crypto.randomUUID().slice(0, 8)

/** A parcel to Oran, paid at the door. */
export const shipment = (change: Partial<Shipment> = {}): Shipment => ({
  reference: `par_${tag}_${++count}`,
  recipient: { name: 'Karim Test', phone: '+213550000000' },
  destination: {
    country: 'DZ',
    stateCode: '31',
    stateName: 'Oran',
    cityName: 'Oran',
    address: '12 rue des Tests',
    deliveryType: 'home',
  },
  codAmount: 3200,
  declaredValue: 3000,
  weightKg: 1,
  contents: 'Test item x1',
  notes: '',
  ...change,
})
