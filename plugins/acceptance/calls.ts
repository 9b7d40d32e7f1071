import type { Adapter } from '../adapter.ts'
import { check, same } from './checks.ts'

/** One call as the other side got it. */
export interface SeenCall {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a rig says of the secrets that it uses. */
export interface Secrets {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials?: Readonly<Record<string, unknown>>
  /** The calls that are documented with a secret in their query. */
  readonly secretsInQuery?: string
}

/** Names of what a call says its own time in. */
export interface Clocks {
  /** Headers and query parameters that say when the call is made. Unless said: those whose name says so, such as `timestamp` or `x-date`. */
  readonly clocks?: readonly string[]
}

/** How patterns of a rig name a call. */
export const nameOf = ({ method, path }: Pick<SeenCall, 'method' | 'path'>): string => `${method} ${path}`

const shortestSecret = 6
/** Clocks differ, and a machine may be slow. */
const toleranceMs = 600_000

export function secretsOf(adapter: Pick<Adapter, 'credentials'>, rig: Secrets): string[] {
  const values = [rig.badCredentials ?? {}, rig.credentials].flatMap(Object.entries<unknown>)
  const secrets = values.filter(([name]) => adapter.credentials[name]?.secret).map(([, value]) => String(value))
  return secrets.filter((secret) => secret.length >= shortestSecret)
}

/** Addresses are logged by everybody on the way: a secret stands in none, but where its documents want it there. */
export function saysNothingInAddresses(adapter: Pick<Adapter, 'credentials'>, rig: Secrets, calls: readonly SeenCall[]): void {
  const secrets = secretsOf(adapter, rig).flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret)])
  const isWanted = (call: SeenCall) => rig.secretsInQuery !== undefined && new RegExp(rig.secretsInQuery).test(nameOf(call))
  const telling = calls.filter((call) => {
    const address = isWanted(call) ? call.path : `${call.path}?${call.query}`
    return secrets.some((secret) => address.includes(secret) || decoded(address).includes(secret))
  })
  same(telling.map(nameOf), [], 'calls with a secret in their address')
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** A time that a list is filtered by (`updated_since`, `date_min`) is no clock, nor is the header of a conditional request. */
const filters = /since|from|until|after|before|min|max|start|end|begin|expir|update|creat|modif|last|first|range|\[/i
const timed = /time|stamp|date|signature|\bts$/i
const isClockByName = (name: string) => timed.test(name) && !filters.test(name)
const written = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g
const epochs = /(?<!\d)(?:1[5-9]|2\d)\d{8}(?:\d{3})?(?!\d)/g

/** A time that stands in a header (`x-timestamp`, `t=…` of a signature) is the call's own, by one of the clocks that were in use. */
export function stampsInTime(calls: readonly SeenCall[], offsets: readonly number[], { clocks }: Clocks = {}): void {
  const named = clocks && new Set(clocks.map((name) => name.toLowerCase()))
  const isClock = (name: string) => (named ? named.has(name.toLowerCase()) : isClockByName(name))
  for (const call of calls) {
    const fields = [...Object.entries(call.headers), ...new URLSearchParams(call.query)]
    for (const ms of fields.filter(([name]) => isClock(name)).flatMap(([, value]) => stampsIn(value))) {
      const isOwn = offsets.some((offset) => Math.abs(ms - call.at - offset) < toleranceMs)
      check(isOwn, `${nameOf(call)} says that it is ${new Date(ms).toISOString()}, which it is not`)
    }
  }
}

/** Times in milliseconds, written as seconds, milliseconds or dates. */
const stampsIn = (value: string): number[] => [
  ...(value.match(epochs) ?? []).map((digits) => (digits.length > 10 ? Number(digits) : Number(digits) * 1000)),
  ...(value.match(written) ?? []).map((date) => Date.parse(date)),
]
