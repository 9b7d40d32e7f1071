import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { writePointer } from '../../lib/errors/json-pointer.ts'

/** Schemas of a route, and whether it may have a body. */
export interface RouteInputs {
  readonly method: string
  readonly body?: unknown
  readonly query?: unknown
  readonly params?: unknown
}

/** Part of a request that a field can be in. */
type Place = 'body' | 'query' | 'params'

/**
 * Writes a field of a use case's input as JSON pointer into the request. The route's schemas tell the place of the first segment; a field
 * that none of them names is in the body, or in the query of a route without one.
 */
export const pointerInRequest = (field: FieldPath, inputs: RouteInputs): string => writePointer(`/${placeOf(field, inputs)}`, field)

function placeOf([first]: FieldPath, { method, body, query, params }: RouteInputs): Place {
  const mayHaveBody = body !== undefined || !['GET', 'HEAD', 'DELETE'].includes(method)
  if (mayHaveBody && namesOf(body).has(first)) return 'body'
  if (namesOf(query).has(first)) return 'query'
  if (namesOf(params).has(first)) return 'params'
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
