import { isRow, type Row, text } from '../../toolkit/values.ts'

/** Maximum depth of a schema. Deeper parts accept any value; no model fills them in. */
export const DEPTH_MAX = 24
const SCHEMA_CHARS_MAX = 200_000

/** String formats that all providers accept. Others are moved to the description. */
const FORMATS = new Set(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
/** Keywords whose value maps names to schemas. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf'])
const SCHEMAS = new Set([
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** Keywords that some provider rejects at the top level of a tool's parameters. */
const NOT_AT_TOP = new Set(['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if', 'then', 'else', '$ref', 'type', 'nullable', '$schema'])

/** Returns an object, or an empty one for any other value. */
export const rowIn = (value: unknown): Row => (isRow(value) ? value : {})
/** Returns a list, or an empty one for any other value. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const sentence = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Appends words to the description of a schema. */
export const described = (schema: Row, ...words: (string | undefined)[]): Row => {
  const description = sentence(text(schema.description), ...words)
  return description === '' ? schema : { ...schema, description }
}

/** Returns the JSON Schema types that a schema names; empty if there are none. */
export const typesOf = ({ type }: Row): string[] => (Array.isArray(type) ? type : [type]).filter((one) => TYPES.has(String(one)))

/** Resolves a reference within the same schema; undefined if its target does not exist. */
function resolveReference(reference: unknown, root: Row): unknown {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (isRow(node) && Object.hasOwn(node, key) ? node[key] : undefined), root)
}

/** Follows references and merges the keywords beside them. Null if a target does not exist or the references form a cycle. */
export function dereference(node: Row, root: Row): Row | null {
  let current = node
  for (let hops = 0; current.$ref !== undefined; hops += 1) {
    const target = resolveReference(current.$ref, root)
    if (!isRow(target) || hops > DEPTH_MAX) return null
    const { $ref: _, ...beside } = current
    current = { ...target, ...beside }
  }
  return current
}

/** Rewrites everything that some provider rejects in any schema into an equivalent form. */
function normalize(schema: unknown, depth = 0): Row {
  if (schema === false) return { not: {} }
  if (!isRow(schema) || depth > DEPTH_MAX * 2) return {}
  const node = Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => keywordOf(key, value, depth)))
  return withShape(withBounds(withTypes(withFormat(node))))
}

function keywordOf(key: string, value: unknown, depth: number): [string, unknown][] {
  // Drafts 3 and 4 have `required: true` for single properties, and boolean bounds.
  if (key === 'required') return Array.isArray(value) ? [[key, value.filter((name) => typeof name === 'string')]] : []
  if (key === 'enum') return Array.isArray(value) && value.length > 0 ? [[key, value]] : []
  if (key === 'items' && Array.isArray(value))
    return [[key, value.length === 0 ? {} : { anyOf: value.map((one) => normalize(one, depth + 1)) }]]
  if (key === 'prefixItems') return [[`items`, { anyOf: listIn(value).map((one) => normalize(one, depth + 1)) }]]
  if (MAPS.has(key))
    return [[key, Object.fromEntries(Object.entries(rowIn(value)).map(([name, one]) => [name, normalize(one, depth + 1)]))]]
  if (LISTS.has(key)) return Array.isArray(value) && value.length > 0 ? [[key, value.map((one) => normalize(one, depth + 1))]] : []
  if (SCHEMAS.has(key)) return [[key, typeof value === 'boolean' && key !== 'items' ? value : normalize(value, depth + 1)]]
  return [[key, value]]
}

function withFormat({ format, ...node }: Row): Row {
  if (format === undefined) return node
  const types = typesOf(node)
  const fits = typeof format === 'string' && FORMATS.has(format) && (types.length === 0 || types.includes('string'))
  return fits ? { ...node, format } : described(node, typeof format === 'string' ? `(Format: ${format})` : undefined)
}

/** Removes types that JSON Schema does not have: `any`, `date`, `file`. */
function withTypes({ type, ...node }: Row): Row {
  if (type === undefined) return node
  const known = [...new Set(typesOf({ type }))]
  const odd = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string' && !TYPES.has(one) && one !== 'any')
  const words = odd.length > 0 ? `(Type: ${odd.join(', ')})` : undefined
  const [only, ...more] = known
  return described({ ...(only !== undefined && { type: more.length > 0 ? known : only }), ...node }, words)
}

function withBounds({ exclusiveMinimum, exclusiveMaximum, ...node }: Row): Row {
  const bound = (exclusive: unknown, name: 'minimum' | 'maximum') => {
    if (exclusive === true && typeof node[name] === 'number') return { [`exclusiveM${name.slice(1)}`]: node[name] }
    return typeof exclusive === 'number' ? { [`exclusiveM${name.slice(1)}`]: exclusive } : {}
  }
  return { ...node, ...bound(exclusiveMinimum, 'minimum'), ...bound(exclusiveMaximum, 'maximum') }
}

function withShape(node: Row): Row {
  const types = typesOf(node)
  return {
    ...node,
    ...(types.includes('array') && !isRow(node.items) && { items: {} }),
    ...(types.includes('object') && !isRow(node.properties) && { properties: {} }),
  }
}

/** One of several object schemas that are merged; its properties become optional in the result. */
interface Branch {
  readonly properties: Row
  readonly required: readonly string[]
}

const branchOf = (schema: Row): Branch => ({
  properties: rowIn(schema.properties),
  required: listIn(schema.required).filter((name) => typeof name === 'string'),
})

/** Merges the properties of several objects. A property with different schemas accepts any of them. */
function mergeProperties(branches: readonly Row[]): Row {
  const all = new Map<string, Row[]>()
  for (const properties of branches)
    for (const [name, schema] of Object.entries(properties)) {
      const known = all.get(name) ?? []
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(schema))) all.set(name, [...known, rowIn(schema)])
    }
  return Object.fromEntries([...all].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]))
}

/** Describes which properties belong together, since a flat list of properties cannot express it. */
const choiceOf = (branches: readonly Branch[]) =>
  `Give one of: ${branches.map(({ properties, required }) => (required.length > 0 ? required : Object.keys(properties)).join(' + ') || 'nothing').join('; or ')}.`

/** Merges `allOf`, `anyOf` and `oneOf` of an object into it. Null if it is not an object. */
function flatten(schema: Row, root: Row, depth = 0): Row | null {
  const node = dereference(schema, root)
  if (!node || depth > DEPTH_MAX) return null
  const types = typesOf(node)
  if (types.length > 0 && !types.includes('object')) return null
  const parts = (key: string) => listIn(node[key]).map((one) => flatten(rowIn(one), root, depth + 1))
  const [all, any] = [parts('allOf'), [...parts('anyOf'), ...parts('oneOf')].filter((one) => one !== null)]
  const isChoice = node.anyOf !== undefined || node.oneOf !== undefined
  if (all.includes(null) || (isChoice && any.length === 0)) return null
  const [every, some] = [all.map((one) => branchOf(rowIn(one))), any.map(branchOf)]
  const common = some.length === 0 ? [] : (some[0]?.required.filter((name) => some.every(({ required }) => required.includes(name))) ?? [])
  const kept = Object.fromEntries(Object.entries(node).filter(([key]) => !NOT_AT_TOP.has(key)))
  const own = branchOf(node)
  const required = [...new Set([...own.required, ...every.flatMap((one) => one.required), ...common])]
  const properties = mergeProperties([own.properties, ...every.map((one) => one.properties), ...some.map((one) => one.properties)])
  const whole: Row = {
    type: 'object',
    ...kept,
    properties,
    // `additionalProperties: false` of several parts of `allOf` would reject every property.
    ...((every.length > 0 || some.length > 0) && { additionalProperties: undefined }),
    ...(required.length > 0 && { required: required.filter((name) => Object.hasOwn(properties, name)) }),
  }
  return described(whole, some.length > 1 ? choiceOf(some) : undefined)
}

/**
 * Converts a tool's parameters into an object schema that all providers accept: only `properties` at the top, arrays with `items`, objects
 * with `properties`, no empty `enum`. What it cannot express moves to descriptions. Null if the parameters are not an object.
 */
export function objectSchema(parameters: unknown): Row | null {
  if (!isRow(parameters) || JSON.stringify(parameters).length > SCHEMA_CHARS_MAX) return null
  const root = normalize(parameters)
  const flat = flatten(root, root)
  // Removes undefined members.
  return flat && JSON.parse(JSON.stringify({ ...flat, ...definitionsOf(root) }))
}

const definitionsOf = ({ $defs, definitions }: Row): Row => ({ ...(isRow($defs) && { $defs }), ...(isRow(definitions) && { definitions }) })
