import { isRow, type Row, text } from '../../toolkit/values.ts'

/** Deeper schemas are taken for free values: no model fills them in. */
export const DEPTH_MAX = 24
const SCHEMA_CHARS_MAX = 200_000

/** Formats of strings that all providers take. Others are told in words. */
const FORMATS = new Set(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
/** Keywords whose value is a map of names to schemas. */
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
/** Keywords that no provider takes at the top of what a tool takes. */
const NOT_AT_TOP = new Set(['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if', 'then', 'else', '$ref', 'type', 'nullable', '$schema'])

export const rowIn = (value: unknown): Row => (isRow(value) ? value : {})
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const sentence = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Adds words to the description of a schema. */
export const described = (schema: Row, ...words: (string | undefined)[]): Row => {
  const description = sentence(text(schema.description), ...words)
  return description === '' ? schema : { ...schema, description }
}

/** The types that a schema names; empty where it names none that exist. */
export const typesOf = ({ type }: Row): string[] => (Array.isArray(type) ? type : [type]).filter((one) => TYPES.has(String(one)))

/** What a reference within the same schema leads to; undefined where it leads nowhere. */
export function resolveReference(reference: unknown, root: Row): unknown {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (isRow(node) && Object.hasOwn(node, key) ? node[key] : undefined), root)
}

/** The schema that stands behind references, with what the place itself says. Null where they lead nowhere, or in a circle. */
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

/** Rewrites what some provider refuses in any schema, and says the same otherwise. */
function cleaned(schema: unknown, depth = 0): Row {
  if (schema === false) return { not: {} }
  if (!isRow(schema) || depth > DEPTH_MAX * 2) return {}
  const node = Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => keywordOf(key, value, depth)))
  return withShape(withBounds(withTypes(withFormat(node))))
}

function keywordOf(key: string, value: unknown, depth: number): [string, unknown][] {
  // Draft 3 and 4: `required: true` of one property, and bounds as flags.
  if (key === 'required') return Array.isArray(value) ? [[key, value.filter((name) => typeof name === 'string')]] : []
  if (key === 'enum') return Array.isArray(value) && value.length > 0 ? [[key, value]] : []
  if (key === 'items' && Array.isArray(value))
    return [[key, value.length === 0 ? {} : { anyOf: value.map((one) => cleaned(one, depth + 1)) }]]
  if (key === 'prefixItems') return [[`items`, { anyOf: listIn(value).map((one) => cleaned(one, depth + 1)) }]]
  if (MAPS.has(key)) return [[key, Object.fromEntries(Object.entries(rowIn(value)).map(([name, one]) => [name, cleaned(one, depth + 1)]))]]
  if (LISTS.has(key)) return Array.isArray(value) && value.length > 0 ? [[key, value.map((one) => cleaned(one, depth + 1))]] : []
  if (SCHEMAS.has(key)) return [[key, typeof value === 'boolean' && key !== 'items' ? value : cleaned(value, depth + 1)]]
  return [[key, value]]
}

function withFormat({ format, ...node }: Row): Row {
  if (format === undefined) return node
  const types = typesOf(node)
  const fits = typeof format === 'string' && FORMATS.has(format) && (types.length === 0 || types.includes('string'))
  return fits ? { ...node, format } : described(node, typeof format === 'string' ? `(Format: ${format})` : undefined)
}

/** Types that JSON Schema does not know are left out: `any`, `date`, `file`. */
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

/** One of several objects, all of whose properties may stand in the whole. */
interface Branch {
  readonly properties: Row
  readonly required: readonly string[]
}

const branchOf = (schema: Row): Branch => ({
  properties: rowIn(schema.properties),
  required: listIn(schema.required).filter((name) => typeof name === 'string'),
})

/** Properties of several objects together; one that differs may be any of its schemas. */
function united(branches: readonly Row[]): Row {
  const all = new Map<string, Row[]>()
  for (const properties of branches)
    for (const [name, schema] of Object.entries(properties)) {
      const known = all.get(name) ?? []
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(schema))) all.set(name, [...known, rowIn(schema)])
    }
  return Object.fromEntries([...all].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]))
}

/** Words for what a flat list of properties cannot say: which of them belong together. */
const choiceOf = (branches: readonly Branch[]) =>
  `Give one of: ${branches.map(({ properties, required }) => (required.length > 0 ? required : Object.keys(properties)).join(' + ') || 'nothing').join('; or ')}.`

/** Merges `allOf`, `anyOf` and `oneOf` of an object into it. Null where it is no object. */
function flattened(schema: Row, root: Row, depth = 0): Row | null {
  const node = dereference(schema, root)
  if (!node || depth > DEPTH_MAX) return null
  const types = typesOf(node)
  if (types.length > 0 && !types.includes('object')) return null
  const parts = (key: string) => listIn(node[key]).map((one) => flattened(rowIn(one), root, depth + 1))
  const [all, any] = [parts('allOf'), [...parts('anyOf'), ...parts('oneOf')].filter((one) => one !== null)]
  const isChoice = node.anyOf !== undefined || node.oneOf !== undefined
  if (all.includes(null) || (isChoice && any.length === 0)) return null
  const [every, some] = [all.map((one) => branchOf(rowIn(one))), any.map(branchOf)]
  const common = some.length === 0 ? [] : (some[0]?.required.filter((name) => some.every(({ required }) => required.includes(name))) ?? [])
  const kept = Object.fromEntries(Object.entries(node).filter(([key]) => !NOT_AT_TOP.has(key)))
  const own = branchOf(node)
  const required = [...new Set([...own.required, ...every.flatMap((one) => one.required), ...common])]
  const properties = united([own.properties, ...every.map((one) => one.properties), ...some.map((one) => one.properties)])
  const whole: Row = {
    type: 'object',
    ...kept,
    properties,
    // What several parts of `allOf` forbid together would forbid all of it.
    ...((every.length > 0 || some.length > 0) && { additionalProperties: undefined }),
    ...(required.length > 0 && { required: required.filter((name) => Object.hasOwn(properties, name)) }),
  }
  return described(whole, some.length > 1 ? choiceOf(some) : undefined)
}

/**
 * The parameters of a tool as a JSON schema of an object that providers take: nothing but `properties` at the top, arrays with `items`, objects
 * with `properties`, no empty `enum`. What cannot be said otherwise is said in descriptions. Null for what is not the schema of an object.
 */
export function objectSchema(parameters: unknown): Row | null {
  if (!isRow(parameters) || JSON.stringify(parameters).length > SCHEMA_CHARS_MAX) return null
  const root = cleaned(parameters)
  const flat = flattened(root, root)
  // Without members that are undefined.
  return flat && JSON.parse(JSON.stringify({ ...flat, ...definitionsOf(root) }))
}

const definitionsOf = ({ $defs, definitions }: Row): Row => ({ ...(isRow($defs) && { $defs }), ...(isRow(definitions) && { definitions }) })
