/** Object of the document: JSON Schema and OpenAPI as data, without a static type. */
export type Node = Record<string, unknown>
/** Schemas of the document by name. */
export type Schemas = Readonly<Record<string, unknown>>

/** Returns true for an object. */
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Returns the value if it is an object, else an empty one. */
export const nodeIn = (value: unknown): Node => (isNode(value) ? value : {})
/** Returns the id of an operation. */
export const operationIdOf = (operation: unknown) => String(nodeIn(operation).operationId)

/** Returns the name of the schema that a reference names, alone or within `allOf`. */
export function refName(given: unknown): string | undefined {
  const { $ref, allOf } = nodeIn(given)
  if (typeof $ref === 'string') return $ref.split('/').at(-1)
  return Array.isArray(allOf) && allOf.length === 1 ? refName(allOf[0]) : undefined
}

/** Returns a schema with the schemas that it refers to, at its top. */
export function resolveRef(given: unknown, schemas: Schemas): Node {
  const { $ref, allOf, ...node } = nodeIn(given)
  if (typeof $ref === 'string') return resolveRef(schemas[$ref.split('/').at(-1) ?? ''], schemas)
  return Array.isArray(allOf) ? Object.assign({}, ...allOf.map((one) => resolveRef(one, schemas)), node) : node
}
