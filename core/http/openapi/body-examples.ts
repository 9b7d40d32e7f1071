import { type Node, nodeIn, operationIdOf, refName, resolveRef, type Schemas } from './document-node.ts'
import type { Wording } from './wording.ts'

/** Builds the example of a body from its schema. */
export type ExampleBuilder = (operationId: string, schema: unknown) => unknown

/** Adds an example to each body that a user can try on the reference page. */
export function withExamples(node: Node, example: ExampleBuilder): Node {
  const body = nodeIn(node.requestBody)
  const content = Object.entries(nodeIn(body.content)).map(([type, one]) => {
    const media = nodeIn(one)
    const isTried = type === 'application/json' || type === 'application/x-www-form-urlencoded'
    return [
      type,
      isTried && media.example === undefined && media.schema ? { ...media, example: example(operationIdOf(node), media.schema) } : media,
    ] as const
  })
  return content.length > 0 ? { requestBody: { ...body, content: Object.fromEntries(content) } } : {}
}

interface Examples {
  readonly schemas: Schemas
  readonly wording: Wording
}

/** Creates the builder of examples for a document's schemas. */
export const exampleBuilder =
  (of: Examples): ExampleBuilder =>
  (operationId, schema) =>
    exampleOf('body', schema, of, { depth: 0, place: operationId })

const DEPTH_MAX = 8
/** Optional fields of an object that an example shows. */
const OPTIONAL_MAX = 6

/** Place of a value in an example: the schema or operation with its properties, and how deep it is. */
interface ExamplePlace {
  readonly place: string
  readonly depth: number
}

function exampleOf(name: string, given: unknown, of: Examples, { place, depth }: ExamplePlace): unknown {
  const schema = resolveRef(given, of.schemas)
  const title = refName(given)
  if (schema.example !== undefined) return schema.example
  const custom = of.wording.exampleOf(name, schema, title === undefined ? [place] : [title, place])
  if (custom !== undefined) return custom
  const at = { place: title ?? place, depth }
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.anyOf) && schema.type === undefined) return exampleOf(name, schema.anyOf[0], of, at)
  if (schema.type === 'object') return depth > DEPTH_MAX ? {} : object(schema, of, at)
  if (schema.type === 'array') return arrayExample(name, schema, of, at)
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number')
    return Math.min(Math.max(Number(schema.minimum ?? 1), 1), Number(schema.maximum ?? 1))
  return 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)))
}

function object(schema: Node, of: Examples, { place, depth }: ExamplePlace): Node {
  const [chosen] = (schema.oneOf as { required?: string[] }[] | undefined) ?? []
  const required = new Set([...((schema.required as string[] | undefined) ?? []), ...(chosen?.required ?? [])])
  const all = Object.entries(nodeIn(schema.properties))
  const least = Number(schema.minProperties ?? 0)
  // Of fields that exclude each other, one is shown.
  const excluded = new Set(((schema.oneOf as { required?: string[] }[] | undefined) ?? []).flatMap((one) => one.required ?? []))
  const others = all.filter(([name]) => !required.has(name) && !excluded.has(name))
  const plain = others.filter(([, one]) => isPlain(one, of)).slice(0, depth === 0 ? OPTIONAL_MAX : least)
  const optional = required.size + plain.length < least ? others.slice(0, least) : plain
  const shown = new Set([...required, ...optional.map(([name]) => name)])
  return Object.fromEntries(
    all
      .filter(([name]) => shown.has(name))
      .map(([name, one]) => [name, exampleOf(name, one, of, { place: `${place}.${name}`, depth: depth + 1 })]),
  )
}

/** Returns true if an optional field has a plain value: a text, a number, a boolean or a choice. */
function isPlain(given: unknown, of: Examples): boolean {
  const { type, nullable } = resolveRef(given, of.schemas)
  return !nullable && (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean')
}

const arrayExample = (name: string, schema: Node, of: Examples, { place, depth }: ExamplePlace): unknown[] => {
  const length = Math.max(1, Number(schema.minItems ?? 1))
  return Array.from({ length: Math.min(length, 3) }, () => exampleOf(name.replace(/s$/, ''), schema.items, of, { place, depth: depth + 1 }))
}
