import { Type as T, type TSchema } from '@sinclair/typebox'
import { buildApp } from '../../core/app.ts'
import type { Context } from '../../core/context.ts'
import { strayIn } from './exact.ts'

/** A route, as Elysia keeps it. */
interface Mounted {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly response?: TSchema | Readonly<Record<string, TSchema>> }
}

interface Known {
  readonly pattern: RegExp
  readonly parameters: number
  readonly response: NonNullable<Mounted['hooks']>['response']
}

export interface Answered {
  readonly method: string
  /** With or without a query. */
  readonly path: string
  readonly status: number
  readonly body: unknown
}

const Problem = T.Object({ path: T.String(), message: T.String(), values: T.Optional(T.Record(T.String(), T.String())) })
const Failure = T.Object({
  error: T.Object({ code: T.String(), message: T.String(), details: T.Optional(T.Array(Problem)), requestId: T.String() }),
})

/** Where apps are answered as RFC 6749 says. */
const OF_OAUTH = /^\/(v1\/)?oauth\//
const FailureOfOAuth = T.Object({ error: T.String(), error_description: T.String() })
/** Where programs are answered as JSON-RPC says. */
const OF_RPC = /^\/mcp(\?|$)/
const FailureOfRpc = T.Object({
  jsonrpc: T.Literal('2.0'),
  id: T.Union([T.String(), T.Number(), T.Null()]),
  error: T.Object({ code: T.Integer(), message: T.String(), data: T.Optional(T.Unknown()) }),
})

/** How a failure is told at this path. */
function failureAt(path: string, body: unknown): TSchema {
  if (strayIn(Failure, body) === undefined) return Failure
  return OF_OAUTH.test(path) ? FailureOfOAuth : OF_RPC.test(path) ? FailureOfRpc : Failure
}

const literal = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
const patternOf = (path: string) => new RegExp(`^${path.split('/').slice(1).map(segmentOf).join('')}$`)
const segmentOf = (segment: string) => {
  if (!/^:\w/.test(segment)) return `/${literal(segment)}`
  return segment.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+'
}

const knownOf = ({ path, hooks }: Mounted): Known => ({
  pattern: patternOf(path),
  parameters: path.split('/:').length,
  response: hooks?.response,
})

/** Routes by method and number of segments: a server has more than a thousand. */
type Routes = ReadonlyMap<string, readonly Known[]>

const slotOf = (method: string, path: string) => `${method} ${path.split('/').length}`
/** A path whose last segment is optional is found under both numbers. */
const slotsOf = ({ method, path }: Mounted) => [
  slotOf(method, path),
  ...(path.endsWith('?') ? [slotOf(method, path.slice(0, path.lastIndexOf('/')))] : []),
]

/** Routes that a server has now, and what they declare. Where several match, the one with the fewest parameters is meant. */
function routesOf(context: Context): Routes {
  const routes = new Map<string, Known[]>()
  for (const mounted of buildApp(context).routes as unknown as Mounted[])
    for (const slot of slotsOf(mounted)) routes.set(slot, [...(routes.get(slot) ?? []), knownOf(mounted)])
  for (const each of routes.values()) each.sort((a, b) => a.parameters - b.parameters)
  return routes
}

/** By the adapters that are there: servers of one process that have the same declare the same. */
const known = new Map<string, Routes>()
const adaptersOf = ({ plugins }: Context) =>
  plugins
    .all()
    .map(({ adapter: { kind, slug } }) => `${kind}/${slug}`)
    .sort()
    .join(' ')

function schemaFor(response: Known['response'], status: number): TSchema | undefined {
  if (response === undefined) return undefined
  const whole = 'type' in response || 'anyOf' in response
  return whole ? (status === 200 ? (response as TSchema) : undefined) : (response as Readonly<Record<string, TSchema>>)[status]
}

/** Says what in an answer in JSON is more, less or other than its route declares; undefined where nothing is. */
export function answersHeld(context: Context): (answered: Answered) => string | undefined {
  let routes: Routes = known.get(adaptersOf(context)) ?? new Map()
  const find = (method: string, path: string) => routes.get(slotOf(method, path))?.find(({ pattern }) => pattern.test(path))
  return ({ method, path, status, body }) => {
    const told = (stray: string | undefined) => stray && `${method} ${path} answered ${status}: ${stray}`
    if (status >= 300) return told(strayIn(failureAt(path, body), body))
    const [bare = ''] = path.split('?')
    // Adapters come and go, and routes with them.
    let route = find(method, bare)
    if (!route) {
      routes = routesOf(context)
      known.set(adaptersOf(context), routes)
      route = find(method, bare)
    }
    if (!route) return told('no route is declared there')
    if (!route.response) return undefined
    const schema = schemaFor(route.response, status)
    return told(schema ? strayIn(schema, body) : 'this status is not declared')
  }
}
