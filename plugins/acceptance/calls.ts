import type { Adapter } from '../adapter.ts'
import { assertEqual, check } from './checks.ts'

/** One call as the simulator received it. */
export interface SeenCall {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Secrets that a rig uses. */
export interface Secrets {
  readonly credentials: Readonly<Record<string, unknown>>
  /** Credentials that the simulator rejects. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** Pattern of the calls whose documentation puts a secret into the query. */
  readonly secretsInQuery?: string
}

/** Declaration of the headers and parameters in which a call states its own time. */
export interface Clocks {
  /**
   * Names of headers and query parameters that hold the time of the call. By default those whose name suggests it, such as `timestamp` or
   * `x-date`.
   */
  readonly clocks?: readonly string[]
}

/** Returns the name of a call in a rig's patterns: `METHOD /path`. */
export const callName = ({ method, path }: Pick<SeenCall, 'method' | 'path'>): string => `${method} ${path}`

const shortestSecret = 6
/** Tolerance for different clocks and slow machines, in milliseconds. */
const toleranceMs = 600_000

/** Returns the values of a rig's secret credentials, except those shorter than six characters. */
export function secretsOf(adapter: Pick<Adapter, 'credentials'>, rig: Secrets): string[] {
  const values = [rig.badCredentials ?? {}, rig.credentials].flatMap(Object.entries<unknown>)
  const secrets = values.filter(([name]) => adapter.credentials[name]?.secret).map(([, value]) => String(value))
  return secrets.filter((secret) => secret.length >= shortestSecret)
}

/** Checks that no URL contains a secret, except where the platform's documentation requires it. URLs are logged by every proxy. */
export function assertNoSecretsInUrls(adapter: Pick<Adapter, 'credentials'>, rig: Secrets, calls: readonly SeenCall[]): void {
  const secrets = secretsOf(adapter, rig).flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret)])
  const isWanted = (call: SeenCall) => rig.secretsInQuery !== undefined && new RegExp(rig.secretsInQuery).test(callName(call))
  const leaking = calls.filter((call) => {
    const address = isWanted(call) ? call.path : `${call.path}?${call.query}`
    return secrets.some((secret) => address.includes(secret) || decodeUrl(address).includes(secret))
  })
  assertEqual(leaking.map(callName), [], 'calls with a secret in their address')
}

function decodeUrl(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Names of parameters with a time that is not the call's own: filters of lists (`updated_since`, `date_min`) and conditional headers. */
const filters = /since|from|until|after|before|min|max|start|end|begin|expir|update|creat|modif|last|first|range|\[/i
const timed = /time|stamp|date|signature|\bts$/i
const isClockByName = (name: string) => timed.test(name) && !filters.test(name)
const written = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g
const epochs = /(?<!\d)(?:1[5-9]|2\d)\d{8}(?:\d{3})?(?!\d)/g

/**
 * Checks that each time in a header or parameter (`x-timestamp`, `t=…` of a signature) is the call's own, by one of the connections'
 * clocks. `offsets` are the differences of these clocks in milliseconds.
 */
export function assertCurrentTimes(calls: readonly SeenCall[], offsets: readonly number[], { clocks }: Clocks = {}): void {
  const named = clocks && new Set(clocks.map((name) => name.toLowerCase()))
  const isClock = (name: string) => (named ? named.has(name.toLowerCase()) : isClockByName(name))
  for (const call of calls) {
    const fields = [...Object.entries(call.headers), ...new URLSearchParams(call.query)]
    for (const ms of fields.filter(([name]) => isClock(name)).flatMap(([, value]) => stampsIn(value))) {
      const isOwn = offsets.some((offset) => Math.abs(ms - call.at - offset) < toleranceMs)
      check(isOwn, `${callName(call)} states the time ${new Date(ms).toISOString()}, which is not the time of the call`)
    }
  }
}

/** Finds times in a text, written as seconds, milliseconds or dates, and returns milliseconds. */
const stampsIn = (value: string): number[] => [
  ...(value.match(epochs) ?? []).map((digits) => (digits.length > 10 ? Number(digits) : Number(digits) * 1000)),
  ...(value.match(written) ?? []).map((date) => Date.parse(date)),
]
