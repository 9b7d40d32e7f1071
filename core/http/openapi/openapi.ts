import type { AnyElysia } from 'elysia'
import { STATED } from '../../../plugins/schema.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { type Permission, type Product, productOf, roles, type Scope } from '../auth/scopes.ts'
import { errorStatuses } from '../errors/statuses.ts'
import { componentCollector } from './components.ts'
import { applyWording, emptyWording, type Wording } from './wording.ts'

/** The document is JSON Schema walked as data; its nodes have no static type. */
type Node = Record<string, unknown>

interface MountedRoute {
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

/** General information of the OpenAPI document. */
export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: { readonly name: string; readonly url: string }
}

const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const JSON_TYPE = 'application/json'

/** Builds the OpenAPI 3.0.0 document from the mounted routes. */
export async function buildOpenApi(app: AnyElysia, info: ApiInfo, servers: readonly string[], wording: Wording = emptyWording) {
  const paths: Record<string, Node> = {}
  const components = componentCollector()
  const yieldSlice = yieldEvery()
  for (const route of app.routes as unknown as MountedRoute[]) {
    if (route.hooks?.detail?.hide || !METHODS.includes(route.method)) continue
    for (const [at, path] of expandOptional(route.path).entries()) {
      const item = paths[template(path)] ?? {}
      paths[template(path)] = item
      item[route.method.toLowerCase()] = components.hoist(operation(route, path, at > 0 ? '.each' : ''))
    }
    await yieldSlice()
  }
  const document = {
    openapi: '3.0.0',
    info,
    servers: servers.map((url) => ({ url })),
    paths,
    components: { securitySchemes, schemas: { Error: errorSchema, ...components.schemas() } },
  }
  return applyWording(document, wording, yieldSlice)
}

const securitySchemes = {
  session: { type: 'http', scheme: 'bearer', description: 'The token of a signed-in person: st_…' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a project: sk_…; or the token of an app that a user authorized: at_…',
  },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatuses) },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
}

/** Expands an optional parameter: '/geo/:kind?' is served at '/geo' and at '/geo/:kind'. */
const expandOptional = (path: string) => (path.endsWith('?') ? [path.slice(0, path.lastIndexOf('/')), path.slice(0, -1)] : [path])
/** Converts a path to OpenAPI. '/:id' is a parameter; ':batchUpdate' after a segment is literal. */
const template = (path: string) => path.replace(/\/:(\w+)/g, '/{$1}').replace(/(?<=.)\/$/, '')
const parameterNames = (path: string) => [...path.matchAll(/\/:(\w+)/g)].map(([, name = '']) => name)

function operation({ hooks = {}, method, path: mounted }: MountedRoute, path: string, suffix: string): Node {
  const { detail = {}, params, query, body, response } = hooks
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

/** Header of every POST that creates. An operation that responds 202 must list it in its `detail`. */
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

function properties(schema: Node | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries((schema?.properties as Node | undefined) ?? {}).map(([name, part]) => [name, toOpenApi30(part)]))
}

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
        ? 'The request is not as described here, or its values contradict each other or what they name; `details` say which.'
        : 'It is no request that HTTP knows.',
    ),
    ...(of.security.length > 0 && {
      401: error('No credential, or one that is not known.'),
      403: error('The credential may not do this.'),
      429: error('Too many requests; wait for Retry-After seconds.'),
    }),
    ...(of.named && { 404: error('There is no such thing, or it belongs to somebody else.') }),
    default: error('Any other failure, in the same envelope.'),
  }
}

/** Converts JSON Schema 2020 to OpenAPI 3.0: no `const`, no null type, no `$` keys. Coercing unions become their result type. */
export function toOpenApi30(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi30)
  if (schema === null || typeof schema !== 'object') return schema
  const { [STATED]: stated, ...node } = schema as Node
  if (isNode(stated)) return { ...(toOpenApi30(node) as Node), ...stated }
  if (isNode(node[SHOWN_AS])) return toOpenApi30({ ...node[SHOWN_AS], ...annotations(node) })
  if ('const' in node) return { type: typeof node.const, enum: [node.const], ...annotations(node) }
  if (Array.isArray(node.anyOf)) return union(node, node.anyOf as Node[])
  if (node.patternProperties) return mapSchema(node)
  const kept = Object.entries(node).filter(([key]) => !key.startsWith('$') && !INTERNAL_KEYS.has(key))
  return withFormats(withBounds(Object.fromEntries(kept.map(([key, part]) => [key, keyword(node, key, part)]))))
}

/** Formats of ours, under the name that others know. */
const KNOWN_FORMATS: Readonly<Record<string, string>> = { 'web-page': 'uri' }

/** Says formats by the names that others know. Decimals stay `x-decimals`: validators that divide binary floats refuse 19.99 as a multiple of 0.001. */
function withFormats({ format, ...node }: Node): Node {
  return { ...node, ...(format !== undefined && { format: KNOWN_FORMATS[String(format)] ?? format }) }
}

/** Keyword with the schema to show, for a schema that OpenAPI cannot express. */
export const SHOWN_AS = 'x-shown-as'
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Keywords that Elysia and TypeBox add for themselves. */
const INTERNAL_KEYS = new Set(['elysiaMeta', 'error'])
/** Keywords whose values are data rather than schemas. */
const DATA = new Set(['enum', 'default', 'required', 'examples'])
const keyword = (node: Node, key: string, part: unknown) =>
  key === 'properties' ? properties(node) : DATA.has(key) ? part : toOpenApi30(part)

/** Converts exclusive bounds, which are flags beside the bound in OpenAPI 3.0. */
function withBounds({ exclusiveMinimum, exclusiveMaximum, ...node }: Node): Node {
  return {
    ...node,
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  }
}

/** Returns the title, description and default of a wrapping schema, which every conversion keeps. */
const annotations = ({ title, description, default: byDefault }: Node): Node => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(byDefault !== undefined && { default: byDefault }),
})

const COERCED = ['integer', 'numeric', 'boolean', 'Date']

function union(node: Node, members: readonly Node[]): Node {
  const coercing = members.find((member) => member.type === 'string' && COERCED.includes(String(member.format)))
  const options = members.filter((member) => member.type !== 'null' && member !== coercing)
  const whole = options.every((option) => 'const' in option)
    ? { type: typeof options[0]?.const, enum: options.map((option) => option.const) }
    : options.length === 1
      ? (toOpenApi30(options[0]) as Node)
      : { anyOf: options.map(toOpenApi30) }
  return { ...(members.some((member) => member.type === 'null') ? orNull(whole) : whole), ...annotations(node) }
}

/** Makes a schema nullable. `nullable` counts only beside a `type`, and an enum must list null as well. */
function orNull(schema: Node): Node {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(orNull) }
  if (schema.type === undefined) return schema
  return { ...schema, ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }), nullable: true }
}

/** Converts a map with `patternProperties`, which OpenAPI 3.0 lacks, to `additionalProperties`. */
function mapSchema({ patternProperties, maxProperties, ...node }: Node): Node {
  const [value] = Object.values(patternProperties as Node)
  return {
    type: 'object',
    additionalProperties: toOpenApi30(value),
    ...(maxProperties !== undefined && { maxProperties }),
    ...annotations(node),
  }
}
