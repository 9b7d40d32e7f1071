import type { ErrorCode } from '../../lib/errors/codes.ts'
import { errorStatuses } from '../errors/statuses.ts'

type Node = Record<string, unknown>

/** Texts and examples that complete the document. They know the business; this module does not. */
export interface Wording {
  /** Tags in the order of the reference page, with their descriptions. */
  readonly tags: Readonly<Record<string, string>>
  /**
   * Returns the meaning of an enum value; undefined if none is written. `place` is the schema or operation and its properties, such as
   * `Refund.status`.
   */
  meaningOf(value: string, among: readonly string[], place: string): string | undefined
  /** Returns an example of a field, or of a whole schema or body by its places: the name of the schema or the operation, and the property. */
  exampleOf(name: string, schema: Node, places: readonly string[]): unknown
  /** Returns the codes of 409 and 422 that an operation may respond with. */
  codesOf(operationId: string, operation: Node): readonly ErrorCode[]
}

/** Wording without any texts. */
export const emptyWording: Wording = { tags: {}, meaningOf: () => undefined, exampleOf: () => undefined, codesOf: () => [] }

/** Keyword with the meanings of an enum's values. */
export const ENUM_MEANINGS = 'x-enum-meanings'
const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete', 'options'])
/** Keys whose values are data rather than schemas. */
const DATA = new Set(['enum', 'default', 'required', 'example', 'examples', ENUM_MEANINGS])

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodeIn = (value: unknown): Node => (isNode(value) ? value : {})

interface Document {
  readonly paths: Record<string, Node>
  readonly components: { readonly schemas: Record<string, unknown> }
}

/** Adds meanings of enums, access, error codes, examples and ordered tags to the document. */
export async function applyWording<D extends Document>(
  document: D,
  wording: Wording,
  yieldSlice: () => Promise<void> | undefined,
): Promise<D> {
  const schemas: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    schemas[name] = withMeanings(schema, wording, name)
    await yieldSlice()
  }
  const example: ExampleBuilder = (operationId, schema) => exampleOf('body', schema, { schemas, wording }, { depth: 0, place: operationId })
  const paths: Record<string, Node> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item).map(([method, one]) => [
      method,
      METHODS.has(method) ? operation(nodeIn(withMeanings(one, wording, operationIdOf(one))), wording, example) : one,
    ])
    paths[path] = Object.fromEntries(operations)
    await yieldSlice()
  }
  return { ...document, tags: tagsOf(paths, wording), paths, components: { ...document.components, schemas } }
}

const operationIdOf = (operation: unknown) => String(nodeIn(operation).operationId)

/** Lists the used tags in order. Tags without a place come last, alphabetically. */
function tagsOf(paths: Record<string, Node>, { tags }: Wording) {
  const used = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => (nodeIn(one).tags as string[]) ?? [])))
  const rest = [...used].filter((tag) => !(tag in tags)).sort()
  return [...Object.keys(tags).filter((tag) => used.has(tag)), ...rest].map((name) => ({
    name,
    ...(tags[name] && { description: tags[name] }),
  }))
}

function operation(node: Node, wording: Wording, example: ExampleBuilder): Node {
  const description = [node.description, describeAccess(node)].filter(Boolean).join('\n\n')
  const responses = withCodes(nodeIn(node.responses), wording.codesOf(operationIdOf(node), node), wording)
  return { ...node, ...(description !== '' && { description }), ...withExamples(node, example), responses }
}

/** Formats role, scope, permission and product as text, because reference pages do not show extensions. */
function describeAccess(node: Node): string {
  const lines = [
    ['Role', node['x-role']],
    ['Scope of an API key', node['x-scope']],
    ['Permission of a member', node['x-permission']],
    ['Product of the project', node['x-product']],
  ].flatMap(([name, value]) => (typeof value === 'string' ? [`- ${name}: \`${value}\``] : []))
  return lines.length > 0 ? `**Authorization**\n\n${lines.join('\n')}` : ''
}

const CONFLICT = '409'
const REFUSED = '422'

/** Adds responses for 409 and 422 with the codes of the operation, before the default response. */
function withCodes({ default: rest, ...responses }: Node, codes: readonly ErrorCode[], wording: Wording): Node {
  const added = [CONFLICT, REFUSED].flatMap((status) => {
    const known = codes.filter((code) => String(errorStatuses[code]) === status)
    return known.length === 0 || responses[status] !== undefined ? [] : [[status, conflictResponse(status, known, wording)] as const]
  })
  return { ...responses, ...Object.fromEntries(added), ...(rest !== undefined && { default: rest }) }
}

const conflictResponse = (status: string, codes: readonly string[], { meaningOf }: Wording): Node => ({
  description: `${status === CONFLICT ? 'The request conflicts with existing data.' : 'The request is valid but cannot be carried out.'} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          {
            type: 'object',
            properties: {
              error: {
                type: 'object',
                properties: {
                  code: {
                    type: 'string',
                    enum: [...codes],
                    description: codes.map((code) => `- \`${code}\`: ${meaningOf(code, codes, 'Error.error.code') ?? ''}`).join('\n'),
                  },
                },
              },
            },
          },
        ],
      },
    },
  },
})

type ExampleBuilder = (operationId: string, schema: unknown) => unknown

/** Adds an example to each body that a user can try on the reference page. */
function withExamples(node: Node, example: ExampleBuilder): Node {
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
  readonly schemas: Readonly<Record<string, unknown>>
  readonly wording: Wording
}

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

/** Returns the name of the schema that a reference names, alone or within `allOf`. */
function refName(given: unknown): string | undefined {
  const { $ref, allOf } = nodeIn(given)
  if (typeof $ref === 'string') return $ref.split('/').at(-1)
  return Array.isArray(allOf) && allOf.length === 1 ? refName(allOf[0]) : undefined
}

function resolveRef(given: unknown, schemas: Readonly<Record<string, unknown>>): Node {
  const { $ref, allOf, ...node } = nodeIn(given)
  if (typeof $ref === 'string') return resolveRef(schemas[$ref.split('/').at(-1) ?? ''], schemas)
  return Array.isArray(allOf) ? Object.assign({}, ...allOf.map((one) => resolveRef(one, schemas)), node) : node
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

/** Appends the meanings of an enum's values to its description, which reference pages show. */
function withMeanings(value: unknown, wording: Wording, place: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMeanings(one, wording, place))
  if (!isNode(value)) return value
  const node: Node = Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (DATA.has(key)) return [key, one]
      return [key, key === 'properties' ? propertiesWithMeanings(one, wording, place) : withMeanings(one, wording, place)]
    }),
  )
  if (!Array.isArray(node.enum) || node.enum.length < 2) return withoutMeanings(node)
  const own = nodeIn(node[ENUM_MEANINGS])
  const values = node.enum.filter((one): one is string => typeof one === 'string')
  const lines = values.flatMap((one) => {
    const meaning = (own[one] as string | undefined) ?? wording.meaningOf(one, values, place)
    return meaning === undefined ? [] : [`- \`${one}\`: ${meaning}`]
  })
  return withoutMeanings(
    lines.length > 0 ? { ...node, description: [node.description, lines.join('\n')].filter(Boolean).join('\n\n') } : node,
  )
}

const propertiesWithMeanings = (properties: unknown, wording: Wording, place: string) =>
  Object.fromEntries(Object.entries(nodeIn(properties)).map(([name, one]) => [name, withMeanings(one, wording, `${place}.${name}`)]))

function withoutMeanings({ [ENUM_MEANINGS]: _, ...node }: Node): Node {
  return node
}
