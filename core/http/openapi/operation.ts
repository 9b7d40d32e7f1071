import { type Permission, type Product, productOf, roles, type Scope } from '../auth/scopes.ts'
import { Id } from '../schema.ts'
import { type Node, properties, toOpenApi30 } from './to-openapi30.ts'

/** Route as Elysia lists it. */
export interface MountedRoute {
  readonly method: string
  readonly path: string
  readonly hooks?: { detail?: Node & { hide?: boolean }; params?: Node; query?: Node; body?: Node; response?: Node }
}

/** Access that a macro declares for the document. Elysia merges it into an operation through `security`. */
export interface OperationAccess {
  readonly security?: Record<string, string[]>[]
  /** Least role of a user, or another requirement such as `anybody`. */
  readonly 'x-role'?: string
  readonly 'x-scope'?: Scope
  /** Permission that a member with individual permissions needs; the scope if API keys may call the operation. */
  readonly 'x-permission'?: Permission | Scope
  /** Product that the project must have enabled, for users and API keys. Derived from the scope unless set. */
  readonly 'x-product'?: Product
}

/** Marks an operation of a project, whose query may name the project's store. */
const NAMES_STORE = 'x-names-store'
/** Part of the `detail` of such an operation. */
export const namesStore = { [NAMES_STORE]: true } as const

const storeIdQuery = {
  name: 'storeId',
  in: 'query',
  required: false,
  description: 'The store whose project is meant. A session must send it; API keys and tokens of apps may leave it out.',
  schema: Id,
}

const JSON_TYPE = 'application/json'

const parameterNames = (path: string) => [...path.matchAll(/\/:(\w+)/g)].map(([, name = '']) => name)

/** Builds the operation of a route at one of its paths. The `suffix` tells its id from those at the other paths. */
export function buildOperation({ hooks = {}, method, path: mounted }: MountedRoute, path: string, suffix: string): Node {
  const { params, query, body, response } = hooks
  const { [NAMES_STORE]: ofStore, ...detail } = hooks.detail ?? {}
  const names = parameterNames(path)
  const parameters = [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      ...parameterOf(properties(params)[name] ?? { type: 'string' }),
    })),
    ...Object.entries(properties(query)).map(([name, schema]) => ({
      name,
      in: 'query',
      required: isRequired(query, name),
      ...parameterOf(schema),
    })),
    ...(ofStore ? [storeIdQuery] : []),
    ...(isCreation(method, response) ? [idempotencyKeyHeader] : []),
    ...((detail.parameters ?? []) as Node[]),
  ]
  const named = names.length > 0
  const page = isPage(detail)
  const authority = authorityOf(detail)
  return {
    ...detail,
    ...authority,
    operationId: `${detail.operationId ?? operationId(method, mounted)}${suffix}`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !acceptsNull(body), ...json(toOpenApi30(body)) } }),
    responses: {
      ...failures({ security: authority.security, input: Boolean(body) || Boolean(query), named, page }),
      ...successes(detail, response),
    },
  }
}

/** Needs of a route's callers: its operation id, the least role, and the permission of members with individual permissions. */
export interface RouteRight {
  readonly operationId: string
  readonly role: string
  readonly permission?: string
}

/** Returns what a route needs of its caller, as its operation declares it. Returns null for a route that the description leaves out. */
export function rightOfRoute({ hooks = {}, method, path }: MountedRoute): RouteRight | null {
  const { detail = {} } = hooks
  if (detail.hide) return null
  const { 'x-role': role = 'anybody', 'x-permission': permission } = authorityOf(detail)
  return { operationId: String(detail.operationId ?? operationId(method, path)), role, ...(permission && { permission }) }
}

/** Returns the access of an operation. A route without a macro needs no credentials. */
function authorityOf({
  security = [],
  ...said
}: Node & OperationAccess): OperationAccess & { readonly security: Record<string, string[]>[] } {
  const scope = said['x-scope']
  const product = said['x-product'] ?? (scope && productOf(scope))
  const role = said['x-role'] ?? leastRole(security)
  const permission = said['x-permission'] ?? (OF_STORES.has(role) ? scope : undefined)
  return {
    security,
    'x-role': role,
    ...(scope && { 'x-scope': scope }),
    ...(permission && { 'x-permission': permission }),
    ...(product && { 'x-product': product }),
  }
}

/** Roles of store operations. Members need their permission even if the operation is open to anyone. */
const OF_STORES = new Set<string>([...roles, 'anybody'])

function leastRole(security: readonly object[]): string {
  if (security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0)) return 'anybody'
  return security.some((scheme) => 'session' in scheme) ? 'signed in' : 'API key'
}

/** Header of every POST that creates. An operation that does not respond 201 must list it in its `detail`. */
export const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'A key made once for a write and repeated with its retries. The same key and body return the first response for seven days.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
}

const isCreation = (method: string, response: Node | undefined) => method === 'POST' && response !== undefined && 201 in response

const json = (schema: unknown) => ({ content: { [JSON_TYPE]: { schema } } })

/** Returns true if the body may be null, so that the request may have none. */
const acceptsNull = (body: Node) => Array.isArray(body.anyOf) && body.anyOf.some((member: Node) => member.type === 'null')

const operationId = (method: string, path: string) =>
  `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W+$/, '')}`

const isRequired = (schema: Node | undefined, name: string) => ((schema?.required as string[] | undefined) ?? []).includes(name)

function successes(detail: Node, response: Node | undefined): Node {
  if (detail.responses) return detail.responses as Node
  const whole = response === undefined || 'type' in response || 'anyOf' in response
  const byStatus = whole ? { 200: response } : response
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, schema]) => [
      status,
      {
        description: statusTexts[status] ?? 'Success.',
        ...(schema && status !== '204' ? withPage(detail, json(toOpenApi30(schema))) : {}),
      },
    ]),
  )
}

const statusTexts: Record<string, string> = {
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Done; no content.',
  503: 'Not able to serve now.',
}

/** Returns true if browsers open the operation, so that a failure may be a page. */
const isPage = (detail: Node) => detail[PAGE] === true || JSON.stringify(detail.responses ?? {}).includes('"text/html"')

/** Marks an operation that responds with a page to browsers and with JSON to programs. */
const PAGE = 'x-page'
const HTML = { 'text/html': { schema: { type: 'string' } } }
const withPage = (detail: Node, { content }: { content: Node }) => ({ content: { ...content, ...(detail[PAGE] === true && HTML) } })

/** Moves a schema's description to its parameter, since reference pages show only that. */
function parameterOf(schema: unknown): Node {
  if (schema === null || typeof schema !== 'object') return { schema }
  const { description, ...rest } = schema as Node
  if (description === undefined) return { schema }
  return { description, schema: 'title' in rest ? schema : rest }
}

/** Builds the error responses. Every operation with credentials can be unauthorized or rate-limited. */
function failures(of: { security: readonly object[]; input: boolean; named: boolean; page: boolean }): Node {
  const error = (description: string) => {
    const { content } = json({ $ref: '#/components/schemas/Error' })
    return { description, content: { ...content, ...(of.page && HTML) } }
  }
  return {
    400: error(
      of.input
        ? 'A value breaks its schema or a rule, or refers to a record that does not exist. `details` names each value and its problem.'
        : 'The server cannot parse the request.',
    ),
    ...(of.security.length > 0 && {
      401: error('The credential is missing, unknown, expired or revoked. Sign in, or create another key.'),
      403: error('The credential is valid, but its role, scope or permission does not cover this operation.'),
      429: error('Too many requests came in a short time. Wait the seconds in `Retry-After`.'),
    }),
    ...(of.named && { 404: error('The id is wrong, the record was deleted, or it belongs to another owner.') }),
    default: error('Any other error, in the same envelope; `error.code` says which.'),
  }
}
