import { isRow, type Row } from '../../toolkit/values.ts'
import type { Completion, Message, Part, Tool, ToolCall } from '../model.ts'
import { restoreArguments } from './tool-arguments.ts'
import { keyNames, toolNames } from './tool-names.ts'
import { listIn, objectSchema, rowIn } from './tool-schema.ts'

/** A tool as it is described to a provider. */
export interface ToldTool {
  readonly name: string
  readonly description: string
  readonly schema: Row
}

/** Tools as they are described to a provider, and the translation of the provider's calls back. */
export interface ToldTools {
  readonly tools: readonly ToldTool[]
  /** Tools that cannot be described, with the reason. */
  readonly leftOut: readonly LeftOut[]
  /** Returns the provider's name for a tool, also for one that is no longer offered. */
  nameOf(tool: string): string
  /** Translates a call into the names and types of the tool's own schema. */
  callOf(call: ToolCall): ToolCall
}
/** A tool that is not offered, with the reason. */
export type LeftOut = Omit<Extract<Part, { readonly type: 'leftOut' }>, 'type'>

/**
 * Translates tools for a provider. `translate` converts the schema of an object into what the provider accepts; null if that is impossible.
 */
export function tellTools(
  { tools = [], messages }: Pick<Completion, 'tools' | 'messages'>,
  translate = (schema: Row): Row | null => schema,
): ToldTools {
  const names = toolNames([...new Set([...tools.map(({ name }) => name), ...messages.flatMap(namesIn)])])
  const schemas = new Map(tools.map(({ name, parameters }) => [name, objectSchema(parameters)]))
  const told = tools.map((tool) => ({ tool, schema: translateSchema(schemas.get(tool.name) ?? null, translate) }))
  const own = new Map([...names].map(([name, plain]) => [plain, name]))
  return {
    tools: told.flatMap(({ tool, schema }) =>
      schema ? [{ name: names.get(tool.name) ?? tool.name, description: tool.description, schema }] : [],
    ),
    leftOut: told.flatMap(({ tool, schema }) =>
      schema ? [] : [{ tool: tool.name.slice(0, 200), reason: 'Its parameters are not the schema of an object.' }],
    ),
    nameOf: (tool) => names.get(tool) ?? tool,
    callOf(call) {
      const name = own.get(call.name) ?? call.name
      const schema = schemas.get(name)
      return { ...call, name, arguments: schema ? restoreArguments(call.arguments, schema) : call.arguments }
    },
  }
}

const translateSchema = (schema: Row | null, translate: (schema: Row) => Row | null): Row | null =>
  schema && translate(withPlainKeys(schema) as Row)

function namesIn(message: Message): string[] {
  if (message.role === 'tool') return [message.name]
  return message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : []
}

/** Replaces property names that some provider rejects, throughout a schema. */
function withPlainKeys(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainKeys)
  if (!isRow(schema)) return schema
  const keys = keyNames(Object.keys(rowIn(schema.properties)))
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isRow(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [keys.get(name) ?? name, withPlainKeys(one)]))]
      if (key === 'required' && isRow(schema.properties)) return [key, listIn(value).map((name) => keys.get(String(name)) ?? name)]
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return [key, value]
      if (key === '$defs' || key === 'definitions')
        return [key, Object.fromEntries(Object.entries(rowIn(value)).map(([name, one]) => [name, withPlainKeys(one)]))]
      return [key, withPlainKeys(value)]
    }),
  )
}

/** Returns the request without the refused tools. */
export const withoutTools = (asked: Completion, refused: ReadonlySet<string>): Completion => {
  const tools = asked.tools?.filter(({ name }: Tool) => !refused.has(name)) ?? []
  const { tools: _, toolChoice, ...rest } = asked
  return { ...rest, ...(tools.length > 0 && { tools, ...(toolChoice && { toolChoice }) }) }
}
