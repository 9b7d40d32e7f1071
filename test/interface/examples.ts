import type { Document, Schema } from '../support/openapi.ts'
import { describedBy } from '../support/openapi.ts'

/** Example of a request body, with its operation. */
export interface BodyExample {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly schema: Schema
  readonly example: unknown
}

/** Lists the examples of all request bodies. */
export const bodyExamples = (document: Document): BodyExample[] =>
  describedBy(document).flatMap(({ method, path, operation }) =>
    Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, media]) => {
      const { schema, example } = media as { schema?: Schema; example?: unknown }
      return schema && example !== undefined ? [{ method, path, type, schema, example }] : []
    }),
  )

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
}

/** Lists where a value breaks its schema, as `/path: why`. */
export function problemsOf(schema: Schema, value: unknown, path = ''): string[] {
  const { type, anyOf, oneOf, not } = schema
  const fits = (member: Schema) => problemsOf({ ...(type !== undefined && { type }), ...member }, value, path).length === 0
  const ofMembers = [
    ...(anyOf && !anyOf.some(fits) ? [`${path}: fits no member of anyOf`] : []),
    ...(oneOf && oneOf.filter(fits).length !== 1 ? [`${path}: fits not exactly one member of oneOf`] : []),
    ...(not && fits(not) ? [`${path}: is forbidden`] : []),
  ]
  if (value === null) return schema.nullable || type === undefined ? ofMembers : [`${path}: is null`]
  if (schema.enum && !schema.enum.includes(value)) return [`${path}: is none of ${schema.enum.join(', ')}`]
  if (Array.isArray(value)) return [...ofMembers, ...problemsOfList(schema, value, path)]
  if (typeof value === 'object') return [...ofMembers, ...problemsOfObject(schema, value as Record<string, unknown>, path)]
  if (typeof value === 'string') return [...ofMembers, ...problemsOfText(schema, value, path)]
  if (typeof value === 'number') return [...ofMembers, ...problemsOfNumber(schema, value, path)]
  return type === undefined || type === 'boolean' ? ofMembers : [`${path}: is no ${type}`]
}

function problemsOfText(
  { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: Schema,
  value: string,
  path: string,
) {
  if (type !== undefined && type !== 'string') return [`${path}: is no ${type}`]
  const length = [...value].length
  if (length < minLength || length > maxLength) return [`${path}: has ${length} characters`]
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return [`${path}: does not match ${pattern}`]
  return format !== undefined && FORMATS[format]?.test(value) === false ? [`${path}: is no ${format}`] : []
}

function problemsOfNumber({ type, minimum, maximum }: Schema, value: number, path: string) {
  if (type !== undefined && type !== 'number' && type !== 'integer') return [`${path}: is no ${type}`]
  if (type === 'integer' && !Number.isInteger(value)) return [`${path}: is no integer`]
  return value < (minimum ?? value) || value > (maximum ?? value) ? [`${path}: is out of range`] : []
}

function problemsOfList(
  { type, items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema,
  value: readonly unknown[],
  path: string,
) {
  if (type !== undefined && type !== 'array') return [`${path}: is no ${type}`]
  if (value.length < minItems || value.length > maxItems) return [`${path}: has ${value.length} items`]
  return value.flatMap((one, at) => problemsOf(items, one, `${path}/${at}`))
}

function problemsOfObject(schema: Schema, value: Readonly<Record<string, unknown>>, path: string): string[] {
  const { type, properties = {}, required = [], additionalProperties = true, minProperties = 0 } = schema
  if (type !== undefined && type !== 'object') return [`${path}: is no ${type}`]
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${path}/${name}: is missing`)
  const few = Object.keys(value).length < minProperties ? [`${path}: has too few fields`] : []
  const ofFields = Object.entries(value).flatMap(([name, one]) => {
    const field = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    if (field) return problemsOf(field, one, `${path}/${name}`)
    return additionalProperties === false ? [`${path}/${name}: is unknown`] : []
  })
  return [...missing, ...few, ...ofFields]
}

const FILLERS = /^(text|string|abc|foo|bar|test|example|x+|1)$/i

/** Lists texts of an example that say nothing to a person, as `/path: text`. */
export function fillersIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return FILLERS.test(value) && !/\/(type|input\/type)$/.test(path) ? [`${path}: ${value}`] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) => fillersIn(one, `${path}/${key}`))
}
