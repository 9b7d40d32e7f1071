import { DEPTH_MAX, dereference, described, isRow, listIn, type Row, rowIn, typesOf } from 'serai/model'

/** Keywords that Gemini accepts as they are. */
const KEPT = ['title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'] as const
/** Keywords by the type for which Gemini accepts them. */
const OF_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['minLength', 'maxLength', 'pattern']),
  number: new Set(['minimum', 'maximum']),
  integer: new Set(['minimum', 'maximum']),
  array: new Set(['minItems', 'maxItems']),
}
const OF_ALL = new Set(['title', 'description'])
/** Keywords that go into the description, since Gemini refuses or ignores them. */
const IN_WORDS = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems', 'default', 'minProperties', 'maxProperties'] as const

/** Parameters of a function, undefined where it takes none. */
export function parametersOf(schema: Row): Row | undefined {
  const translated = schemaOf(schema)
  return translated.type === 'object' ? translated : undefined
}

/** Gemini's form of a JSON schema: one type, `nullable`, enums of strings, arrays with `items`, objects with `properties`, no reference. */
export const schemaOf = (schema: unknown): Row => translate(rowIn(schema), rowIn(schema), 0)

function translate(schema: Row, root: Row, depth: number): Row {
  const node = depth > DEPTH_MAX ? null : dereference(schema, root)
  if (!node) return jsonText({})
  const parts = listIn(node.allOf).map((one) => dereference(rowIn(one), root) ?? {})
  const whole = parts.reduce<Row>(mergeSchemas, Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'allOf')))
  const members = [...listIn(whole.anyOf), ...listIn(whole.oneOf)].map(rowIn)
  return members.length > 0 ? choice(whole, members, root, depth) : translateOne(whole, root, depth)
}

/** Merges two schemas, because Gemini does not support `allOf`. */
const mergeSchemas = (one: Row, other: Row): Row => ({
  ...one,
  ...other,
  ...((one.properties !== undefined || other.properties !== undefined) && {
    properties: { ...rowIn(one.properties), ...rowIn(other.properties) },
  }),
  ...((one.required !== undefined || other.required !== undefined) && { required: [...listIn(one.required), ...listIn(other.required)] }),
})

const isNull = (schema: Row) => schema.type === 'null' || ('const' in schema && schema.const === null)

function choice({ anyOf: _, oneOf: __, ...whole }: Row, members: readonly Row[], root: Row, depth: number): Row {
  const { description, ...common } = whole
  const options = members.filter((one) => !isNull(one)).map((one) => translate({ ...common, ...one }, root, depth + 1))
  const nullable = members.some(isNull) ? { nullable: true } : {}
  const [only, ...more] = options
  if (!only) return jsonText(whole)
  const words = typeof description === 'string' ? description : undefined
  return more.length === 0 ? { ...described(only, words), ...nullable } : { ...described({}, words), anyOf: options, ...nullable }
}

function translateOne(node: Row, root: Row, depth: number): Row {
  const named = typesOf(node)
  const types = named.filter((type) => type !== 'null')
  const nullable = named.includes('null') || node.nullable === true ? { nullable: true } : {}
  if (types.length > 1) {
    const { description, type: _, nullable: __, ...rest } = node
    const anyOf = types.map((type) => translate({ ...rest, type }, root, depth + 1))
    return { ...described({}, typeof description === 'string' ? description : undefined), anyOf, ...nullable }
  }
  return { ...ofType(types[0] ?? guessType(node), node, root, depth), ...nullable }
}

const guessType = ({ enum: values, const: only, properties, items }: Row) =>
  Array.isArray(values) || only !== undefined ? 'string' : isRow(properties) ? 'object' : isRow(items) ? 'array' : undefined

function ofType(type: string | undefined, node: Row, root: Row, depth: number): Row {
  const { enum: values, const: only } = node
  if (Array.isArray(values) || only !== undefined) return choiceOfValues(node, Array.isArray(values) ? values : [only])
  if (type === 'object') return object(node, root, depth)
  if (type === 'array') return { ...schemaOfType('array', node), items: translate(rowIn(node.items), root, depth + 1) }
  if (type === undefined) return jsonText(node)
  return { ...schemaOfType(type, node), ...(type === 'string' && node.format === 'date-time' && { format: 'date-time' }) }
}

/** Writes an enum as non-empty strings, the only type Gemini accepts. The tool call is converted back. */
function choiceOfValues(node: Row, values: readonly unknown[]): Row {
  const written = values.filter((value) => value !== null).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const full = written.filter((value) => value !== '')
  const { enum: _, const: __, ...rest } = node
  const schema = {
    ...schemaOfType('string', { description: rest.description, title: rest.title }),
    ...(full.length > 0 && { enum: [...new Set(full)] }),
  }
  const words = full.length < written.length ? '(It may be empty.)' : undefined
  return {
    ...described(full.length < written.length ? { ...schema, enum: undefined } : schema, words && `One of: ${full.join(', ')}. ${words}`),
    ...(values.includes(null) && { nullable: true }),
  }
}

function object(node: Row, root: Row, depth: number): Row {
  const properties = Object.entries(rowIn(node.properties)).map(([name, one]) => [name, translate(rowIn(one), root, depth + 1)] as const)
  if (properties.length === 0) return depth === 0 ? {} : jsonText(node, 'object')
  const names = new Set(properties.map(([name]) => name))
  const required = [...new Set(listIn(node.required))].filter((name) => names.has(String(name)))
  return { ...schemaOfType('object', node), properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/** Writes a value of any type as JSON text, because Gemini requires one type. The tool call is converted back. */
const jsonText = (node: Row, what = 'value'): Row =>
  described(schemaOfType('string', { title: node.title, description: node.description }), `(A JSON ${what}, written as text.)`)

/** Schema of one type with the keywords that Gemini takes; the others go into its description. */
function schemaOfType(type: string, node: Row): Row {
  const kept = KEPT.filter((key) => node[key] !== undefined && (OF_ALL.has(key) || OF_TYPE[type]?.has(key)))
  const notes = IN_WORDS.flatMap((key) => (node[key] === undefined ? [] : [`${key}: ${JSON.stringify(node[key])}`]))
  const format = typeof node.format === 'string' && node.format !== 'date-time' ? [`format: ${node.format}`] : []
  const all = [...format, ...notes]
  const schema: Row = { type, ...Object.fromEntries(kept.map((key) => [key, node[key]])) }
  return described(schema, all.length > 0 ? `(${all.join(', ')})` : undefined)
}
