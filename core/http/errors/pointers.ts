import type { FieldPath } from '../../lib/errors/domain-error.ts'

/** Schemas of a route, and whether it may have a body. */
export interface RouteInputs {
  readonly method: string
  readonly body?: unknown
  readonly query?: unknown
  readonly params?: unknown
}

/** Part of a request that a field can be in. */
type Place = 'body' | 'query' | 'path'

/** Writes a field as JSON pointer below `root` (RFC 6901). */
export const pointerTo = (root: string, field: FieldPath): string =>
  [root, ...field.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)].join('')

/** Reads a JSON pointer as a field. Indexes of lists become numbers. */
export const fieldOf = (pointer: string): FieldPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

/** Field of a use case's input that a caller names by its field or by its pointer into the request. */
export const fieldIn = (field: FieldPath | string): FieldPath =>
  typeof field === 'string' ? fieldOf(field.replace(/^\/(body|query)/, '')) : field

/**
 * Writes a field of a use case's input as JSON pointer into the request. The route's schemas tell the place of the first segment; a field
 * that none of them names is in the body, or in the query of a route without one.
 */
export const pointerInRequest = (field: FieldPath, inputs: RouteInputs): string => pointerTo(`/${placeOf(field, inputs)}`, field)

function placeOf([first]: FieldPath, { method, body, query, params }: RouteInputs): Place {
  const mayHaveBody = body !== undefined || !['GET', 'HEAD', 'DELETE'].includes(method)
  if (mayHaveBody && namesOf(body).has(first)) return 'body'
  if (namesOf(query).has(first)) return 'query'
  if (namesOf(params).has(first)) return 'path'
  return mayHaveBody ? 'body' : 'query'
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
}

/** Names of the members of an object's schema, and of those of each variant of a union. */
function namesOf(schema: unknown): ReadonlySet<unknown> {
  if (typeof schema !== 'object' || schema === null) return new Set()
  const { properties = {}, anyOf = [], allOf = [] } = schema as Schema
  return new Set<unknown>([...Object.keys(properties), ...[...anyOf, ...allOf].flatMap((part) => [...namesOf(part)])])
}
