import { isNode, type Node, nodeIn, resolveRef, type Schemas } from './document-node.ts'
import type { Wording } from './wording.ts'

/** Keyword with the meanings of an enum's values. */
export const ENUM_MEANINGS = 'x-enum-meanings'
/** Keys whose values are data rather than schemas. */
const DATA = new Set(['enum', 'default', 'required', 'example', 'examples', ENUM_MEANINGS])

/** Appends the meanings of an enum's values to its description, which reference pages show. */
export function withMeanings(value: unknown, wording: Wording, place: string): unknown {
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

/** First line of the meanings in a description. */
const FIRST_MEANING = '- `'

/** Moves the meanings of a parameter's values to the parameter, since reference pages do not show the description of its schema. */
export function parameterWithMeanings(given: unknown, schemas: Schemas): unknown {
  const parameter = nodeIn(given)
  const schema = resolveRef(parameter.schema, schemas)
  const text = String(schema.description ?? '')
  const at = text.indexOf(FIRST_MEANING)
  if (!Array.isArray(schema.enum) || at < 0) return given
  const { description: _, ...own } = nodeIn(parameter.schema)
  return { ...parameter, description: [parameter.description, text.slice(at)].filter(Boolean).join('\n\n'), schema: own }
}
