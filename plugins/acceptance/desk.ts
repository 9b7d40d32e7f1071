import type { Adapter, AdapterContext, AdapterStorage, FetchInit } from '../adapter.ts'
import { checkFields, withDefaults } from '../fields.ts'

const maxValueBytes = 64 * 1024
const usualDeadlineMs = 10_000

/** Creates storage of a connection, kept in this process as JSON. */
export function createStorage(): AdapterStorage {
  const notes = new Map<string, string>()
  const serialize = (value: unknown) => {
    const text = JSON.stringify(value)
    if (text.length > maxValueBytes) throw new Error(`A value of ${text.length} bytes is too long.`)
    return text
  }
  return {
    get: async (key) => JSON.parse(notes.get(key) ?? 'null') ?? undefined,
    set: async (key, value) => void notes.set(key, serialize(value)),
    add: async (key, value) => !notes.has(key) && notes.set(key, serialize(value)).has(key),
    replace: async (key, expected, value) =>
      Bun.deepEquals(JSON.parse(notes.get(key) ?? 'null'), JSON.parse(serialize(expected))) && notes.set(key, serialize(value)).has(key),
    delete: async (key) => void notes.delete(key),
    list: async (prefix, { after = '', limit = 1000 } = {}) =>
      [...notes]
        .filter(([key]) => key.startsWith(prefix) && key > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([key, text]) => ({ key, value: JSON.parse(text) as unknown })),
  }
}

/** Options of a connection. */
export interface DeskOptions {
  readonly connectionId?: string
  readonly credentials?: Readonly<Record<string, unknown>>
  readonly settings?: Readonly<Record<string, unknown>>
  readonly storage?: AdapterStorage
  readonly deadlineMs?: number
  /** Clock of the connection; the real one by default. */
  readonly now?: () => number
}

/** One connection to the simulator, and a record of its use. */
export interface Desk {
  readonly context: AdapterContext
  readonly logged: readonly unknown[]
  /** Hosts that were called, and those of them that are not declared. */
  readonly asked: readonly string[]
  readonly undeclared: readonly string[]
}

/** Connection as {@link openDesk} opens it. */
export interface Connection extends DeskOptions {
  readonly now?: () => number
}

type Reaching = Pick<Adapter, 'credentials' | 'settings' | 'net'>

/**
 * Opens a connection over real sockets. `origins` maps declared hosts to the simulator's address; no other host can be reached. Throws if
 * the credentials or settings do not match their declaration.
 */
export function openDesk(adapter: Reaching, origins: Readonly<Record<string, string>>, given: Connection): Desk {
  const credentials = given.credentials ?? {}
  const settings = given.settings ?? {}
  const problems = [
    ...checkFields(adapter.credentials, credentials, ['credentials']),
    ...checkFields(adapter.settings, settings, ['settings']),
  ]
  if (problems.length > 0) throw new Error(JSON.stringify(problems))

  const logged: unknown[] = []
  const asked: string[] = []
  const undeclared: string[] = []
  const signal = AbortSignal.timeout(given.deadlineMs ?? usualDeadlineMs)
  const reach = (url: string, init?: FetchInit) => {
    const { host } = new URL(url)
    asked.push(host)
    if (!isDeclared(host, adapter.net)) undeclared.push(host)
    return fetchAt(origins, adapter.net, signal, url, init)
  }
  const context: AdapterContext = {
    storeId: 'sto_rig',
    connectionId: given.connectionId ?? 'int_rig',
    credentials: withDefaults(adapter.credentials, credentials) as AdapterContext['credentials'],
    settings: withDefaults(adapter.settings, settings) as AdapterContext['settings'],
    fetch: reach,
    storage: given.storage ?? createStorage(),
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
  { method = 'GET', headers = {}, body, timeoutMs = 20_000, followRedirects = false, streams = false }: FetchInit = {},
): Promise<Response> {
  const { protocol, host, origin: asked, pathname, search } = new URL(url)
  if (protocol !== 'https:' || !isDeclared(host, net)) throw new Error(`${protocol}//${host} is not declared.`)
  const origin = origins[host]
  if (origin === undefined) throw new Error(`The rig has no address for ${host}.`)
  const answer = await fetch(origin + pathname + search, {
    method,
    headers,
    ...(body !== undefined && { body: body as string }),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const location = answer.headers.get('location')
  if (!followRedirects || !location || answer.status < 300 || answer.status > 399) return streams ? answer : whole(answer)
  const next = new URL(location, asked + pathname)
  // Credentials stay with their host, as in the server's egress.
  const kept = next.origin === asked ? headers : {}
  return fetchAt(origins, net, signal, next.href, { headers: kept, timeoutMs, followRedirects })
}

/** Reads the response completely before it is returned, as the server's egress does unless a stream is requested. */
async function whole(answer: Response): Promise<Response> {
  const { status, headers } = answer
  const bytes = await answer.arrayBuffer()
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers })
}

const isDeclared = (host: string, net: readonly string[]) =>
  net.some((pattern) => pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))))
