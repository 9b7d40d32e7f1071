import { STATED } from '../../../plugins/schema.ts'

/** Converts the properties of an object's schema. Empty without a schema. */
export function properties(schema: Node | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries((schema?.properties as Node | undefined) ?? {}).map(([name, part]) => [name, toOpenApi30(part)]))
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
  const publicEntries = Object.entries(node).filter(([key]) => !key.startsWith('$') && !INTERNAL_KEYS.has(key))
  return withFormats(withBounds(Object.fromEntries(publicEntries.map(([key, part]) => [key, keyword(node, key, part)]))))
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

/** The document is JSON Schema walked as data; its nodes have no static type. */
export type Node = Record<string, unknown>
