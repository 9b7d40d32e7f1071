import type { Tool } from '@modelcontextprotocol/client'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Visit } from './client/sessions.ts'
import { unlessAborted } from './client/unless-aborted.ts'
import { textOf } from './content.ts'
import { words } from './failure.ts'
import type { Listed, Offered } from './lists.ts'
import type { McpTool } from './mcp.model.ts'
import { listServers, type McpServerRow, noteReach } from './mcp.queries.ts'
import { prefixesOf, toolName } from './names.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'webhookOutbound' | 'gateway' | 'mcpSessions' | 'mcpLists'>

/** A tool of somebody else's server, for the conversations of one person. */
export interface ExternalTool {
  readonly name: string
  /** As its server calls it. */
  readonly tool: string
  readonly description: string
  /** A JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly server: { readonly id: string; readonly name: string; readonly url: string }
  /** Whether it changes nothing, in the words of the server: whoever named the server believes it. What is not is asked of the person first. */
  readonly readOnly: boolean
  /** What came of it as text. Throws nothing but what aborted it: a server that fails costs its own call. */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<{ text: string; failed: boolean }>
}

export const SERVERS_MAX = 20
const TOOLS_MAX = 128
const TOOLS_MAX_TOGETHER = 256
const NAME_MAX = 128
const SCHEMA_BYTES = 16 * 1024
const SCHEMAS_BYTES = 256 * 1024
const SCHEMA_DEPTH = 16
const DESCRIPTION_MAX = 1024
const LEFT_OUT_MAX = 20
const LIST_MS = 8_000
const CALL_MS = 55_000
/** A conversation does not wait longer for what a server may offer: it is asked on, and what it says is there the next time. */
const PATIENCE_MS = 4_000
const keyOf = ({ id, updatedAt }: McpServerRow, userId: string) => `${id} ${userId} ${updatedAt}`

/** What this server offers this person. `anew`: whatever was read before. Throws `ApiError`. */
export function listedTools(needs: Needs, server: McpServerRow, userId: string, anew = false): Promise<Listed> {
  const read = () => ask(needs, server, userId)
  return anew ? needs.mcpLists.anew(keyOf(server, userId), read) : needs.mcpLists.of(keyOf(server, userId), read)
}

async function ask(needs: Needs, server: McpServerRow, userId: string): Promise<Listed> {
  try {
    const visit = { server, userId, deadlineMs: LIST_MS }
    const listed = await needs.mcpSessions.within(needs, visit, async ({ client, protocol, title }, signal) => {
      const { tools } = await client.listTools(undefined, { timeout: LIST_MS, signal })
      return { ...sifted(tools), protocol, title: title === null ? null : words(title, 100) }
    })
    await noteReach(needs.sql, server, { ...listed, problem: null })
    return listed
  } catch (error) {
    if (error instanceof ApiError) await noteReach(needs.sql, server, { protocol: null, title: null, problem: error.message })
    throw error
  }
}

/** Those that can be used: so many, of such a size, each name once. */
function sifted(tools: readonly Tool[]): Pick<Listed, 'tools' | 'leftOut'> {
  const taken = new Map<string, Offered>()
  const leftOut: string[] = []
  let bytes = 0
  for (const tool of tools) {
    const why = taken.has(tool.name)
      ? 'there is another of this name'
      : taken.size >= TOOLS_MAX
        ? `only ${TOOLS_MAX} are taken`
        : (problemOf(tool) ?? (bytes > SCHEMAS_BYTES ? `what all of them take is described in more than ${SCHEMAS_BYTES} bytes` : null))
    if (why === null) {
      taken.set(tool.name, offered(tool))
      bytes += JSON.stringify(tool.inputSchema).length
    } else if (leftOut.length < LEFT_OUT_MAX) leftOut.push(`${words(tool.name, 60)}: ${why}`)
  }
  return { tools: [...taken.values()], leftOut }
}

function problemOf({ name, inputSchema }: Tool): string | null {
  if (name.length === 0 || name.length > NAME_MAX) return `its name has more than ${NAME_MAX} characters`
  if (JSON.stringify(inputSchema).length > SCHEMA_BYTES) return `what it takes is described in more than ${SCHEMA_BYTES} bytes`
  return isDeeper(inputSchema, SCHEMA_DEPTH) ? `what it takes is nested deeper than ${SCHEMA_DEPTH} levels` : null
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

const offered = ({ name, title, annotations, description = '', inputSchema }: Tool): Offered => ({
  tool: name,
  title: words(title ?? annotations?.title ?? name, 100),
  description: words(description, DESCRIPTION_MAX),
  parameters: inputSchema,
  readOnly: annotations?.readOnlyHint === true,
})

/** The tools of one server with the names that conversations of this person know them by. */
export async function namedTools(needs: Needs, server: McpServerRow, userId: string): Promise<readonly McpTool[]> {
  const [all, { tools }] = await Promise.all([serversOf(needs, server.storeId, userId), listedTools(needs, server, userId, true)])
  const prefix = prefixesOf(all.some(({ id }) => id === server.id) ? all : [...all, server]).get(server.id) ?? ''
  return tools.map((tool) => ({ name: toolName(prefix, tool.tool), ...tool }))
}

const serversOf = ({ sql }: Pick<Context, 'sql'>, storeId: string, userId: string) =>
  listServers(sql, storeId, userId, null, 2 * SERVERS_MAX)

/**
 * All tools of other people's servers that a person has in a store: those of his own servers and of the whole store's. A server that cannot
 * be reached is not there. Throws what aborted it.
 */
export async function toolsOf(
  needs: Needs & Pick<Context, 'log'>,
  { storeId, userId }: { readonly storeId: string; readonly userId: string },
  signal: AbortSignal,
): Promise<ExternalTool[]> {
  const servers = await serversOf(needs, storeId, userId)
  const prefixes = prefixesOf(servers)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const lists = await Promise.all(
    servers
      .filter(({ enabled }) => enabled)
      .map(async (server) => {
        const listed = await unlessAborted(listedTools(needs, server, userId), patience).catch((err: unknown) => {
          needs.log.debug({ err, server: server.id }, 'a server of tools is not there')
          return null
        })
        return (listed?.tools ?? []).map((tool) => external(needs, server, userId, prefixes.get(server.id) ?? '', tool))
      }),
  )
  signal.throwIfAborted()
  return lists.flat().slice(0, TOOLS_MAX_TOGETHER)
}

const external = (needs: Needs, server: McpServerRow, userId: string, prefix: string, tool: Offered): ExternalTool => ({
  name: toolName(prefix, tool.tool),
  tool: tool.tool,
  description: tool.description,
  parameters: tool.parameters,
  server: { id: server.id, name: server.name, url: server.url },
  readOnly: tool.readOnly,
  call: (args, signal) => callTool(needs, { server, userId, signal, deadlineMs: CALL_MS }, tool, args),
})

async function callTool(
  needs: Needs,
  visit: Visit & { readonly signal: AbortSignal },
  { tool: name, parameters }: Offered,
  args: Readonly<Record<string, unknown>>,
): Promise<{ text: string; failed: boolean }> {
  // Some of what it takes may have to be said in headers as well, and the session may be another than the one that listed it.
  const toolDefinition = { name, inputSchema: { ...parameters, type: 'object' as const } }
  try {
    return await needs.mcpSessions.within(needs, visit, async ({ client }, signal) => {
      const answer = await client.callTool({ name, arguments: { ...args } }, { timeout: CALL_MS, signal, toolDefinition })
      return { text: textOf(answer), failed: answer.isError === true }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { text: error.message, failed: true }
  }
}
