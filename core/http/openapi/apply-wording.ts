import type { ErrorCode } from '../../lib/errors/codes.ts'
import { errorStatuses } from '../errors/statuses.ts'
import { type ExampleBuilder, exampleBuilder, withExamples } from './body-examples.ts'
import { type Node, nodeIn, operationIdOf, type Schemas } from './document-node.ts'
import { parameterWithMeanings, withMeanings } from './meanings.ts'
import type { Wording } from './wording.ts'

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete', 'options'])

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
  const texts = { schemas, wording, example: exampleBuilder({ schemas, wording }) }
  const paths: Record<string, Node> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = Object.entries(item).map(([method, one]) => [
      method,
      METHODS.has(method) ? operation(nodeIn(withMeanings(one, wording, operationIdOf(one))), texts) : one,
    ])
    paths[path] = Object.fromEntries(operations)
    await yieldSlice()
  }
  return { ...document, tags: tagsOf(paths, wording), paths, components: { ...document.components, schemas } }
}

/** Lists the used tags in order. Tags without a place come last, alphabetically. */
function tagsOf(paths: Record<string, Node>, { tags }: Wording) {
  const used = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => (nodeIn(one).tags as string[]) ?? [])))
  const rest = [...used].filter((tag) => !(tag in tags)).sort()
  return [...Object.keys(tags).filter((tag) => used.has(tag)), ...rest].map((name) => ({
    name,
    ...(tags[name] && { description: tags[name] }),
  }))
}

interface Texts {
  readonly schemas: Schemas
  readonly wording: Wording
  readonly example: ExampleBuilder
}

function operation(node: Node, { schemas, wording, example }: Texts): Node {
  const description = [node.description, describeAccess(node)].filter(Boolean).join('\n\n')
  const responses = withCodes(nodeIn(node.responses), wording.codesOf(operationIdOf(node), node), wording)
  const parameters = (node.parameters as unknown[] | undefined)?.map((one) => parameterWithMeanings(one, schemas))
  return {
    ...node,
    ...(description !== '' && { description }),
    ...(parameters && { parameters }),
    ...withExamples(node, example),
    responses,
  }
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
