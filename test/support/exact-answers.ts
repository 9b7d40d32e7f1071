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
  readonly method: string
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

const Problem = T.Object({ path: T.String(), message: T.String() })
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

const knownOf = ({ method, path, hooks }: Mounted): Known => ({
  method,
  pattern: patternOf(path),
  parameters: path.split('/:').length,
  response: hooks?.response,
})

/** What the routes of a server that are there now declare; the one with the fewest parameters is meant where several match. */
const routesOf = (context: Context) =>
  (buildApp(context).routes as unknown as Mounted[]).map(knownOf).sort((a, b) => a.parameters - b.parameters)

/** By the adapters that are there: servers of one process that have the same declare the same. */
const known = new Map<string, readonly Known[]>()
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
  let routes = known.get(adaptersOf(context)) ?? []
  const find = (method: string, path: string) => routes.find((route) => route.method === method && route.pattern.test(path))
  return ({ method, path, status, body }) => {
    const told = (stray: string | undefined) => stray && `${method} ${path} answered ${status}: ${stray}`
    if (status >= 300) return told(strayIn(failureAt(path, body), body))
    const [bare = ''] = path.split('?')
    // Adapters come and go, and routes with them.
    if (!find(method, bare)) {
      routes = routesOf(context)
      known.set(adaptersOf(context), routes)
    }
    const route = find(method, bare)
    if (!route) return told('no route is declared there')
    if (!route.response) return undefined
    const schema = schemaFor(route.response, status)
    return told(schema ? strayIn(schema, body) : 'this status is not declared')
  }
}
