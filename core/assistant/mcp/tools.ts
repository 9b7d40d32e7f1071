import type { Tool } from '@modelcontextprotocol/client'
import type { Context } from '../../context.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { raceAbort } from './client/race-abort.ts'
import type { SessionCall } from './client/sessions.ts'
import { sanitizeText } from './failure.ts'
import type { McpTool } from './mcp.model.ts'
import { listServers, type McpServerRow, recordServerStatus } from './mcp.queries.ts'
import type { ListedTool, ToolList } from './tool-list-cache.ts'
import { prefixesOf, toolName } from './tool-names.ts'
import { formatToolResult } from './tool-result.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'webhookOutbound' | 'egress' | 'mcpSessions' | 'mcpToolLists'>

/** Tool of an MCP server, for the conversations of one user. */
export interface ExternalTool {
  readonly name: string
  /** Name at the server. */
  readonly tool: string
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly server: { readonly id: string; readonly name: string; readonly url: string }
  /** True when the server claims that the tool changes nothing. Any other tool needs the user's confirmation. */
  readonly readOnly: boolean
  /** Calls the tool and returns its result as text. A failure is a result with `failed`; throws only the reason of an abort. */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<{ text: string; failed: boolean }>
}

/** MCP servers that a user may have in a store, and that a store may share. */
export const SERVERS_MAX = 20
/** Tools of one server that are used. */
const TOOLS_MAX = 128
/** Tools of all servers that are used. */
const TOOLS_MAX_TOGETHER = 256
const NAME_MAX = 128
/** Bytes of the schema of one tool, and below of all tools of a server. */
const SCHEMA_BYTES = 16 * 1024
const SCHEMAS_BYTES = 256 * 1024
const SCHEMA_DEPTH = 16
const DESCRIPTION_MAX = 1024
const LEFT_OUT_MAX = 20
/** Deadline of reading a list of tools. */
const LIST_MS = 8_000
/** Deadline of a call of a tool. */
const CALL_MS = 55_000
/** Time that a conversation waits for the lists of tools. A slower server is read in the background, for the next time. */
const PATIENCE_MS = 4_000
const keyOf = ({ id, updatedAt }: McpServerRow, userId: string) => `${id} ${userId} ${updatedAt}`

/** Returns the tools that a server offers to a user, from the cache unless `refresh` is set. Throws `DomainError`. */
export function listServerTools(
  needs: Needs,
  server: McpServerRow,
  userId: string,
  { refresh = false }: { readonly refresh?: boolean } = {},
): Promise<ToolList> {
  const read = () => requestTools(needs, server, userId)
  return refresh ? needs.mcpToolLists.refresh(keyOf(server, userId), read) : needs.mcpToolLists.get(keyOf(server, userId), read)
}

async function requestTools(needs: Needs, server: McpServerRow, userId: string): Promise<ToolList> {
  try {
    const visit = { server, userId, deadlineMs: LIST_MS }
    const listed = await needs.mcpSessions.withSession(needs, visit, async ({ client, protocol, title }, signal) => {
      const { tools } = await client.listTools(undefined, { timeout: LIST_MS, signal })
      return { ...selectUsable(tools), protocol, title: title === null ? null : sanitizeText(title, 100) }
    })
    await recordServerStatus(needs.sql, server, { ...listed, problem: null })
    return listed
  } catch (error) {
    if (error instanceof DomainError)
      await recordServerStatus(needs.sql, server, { protocol: null, title: null, problem: describeError(error) })
    throw error
  }
}

/** Selects the tools that can be used, by their number, their sizes and unique names. Returns the others with a reason. */
function selectUsable(tools: readonly Tool[]): Pick<ToolList, 'tools' | 'leftOut'> {
  const usable = new Map<string, ListedTool>()
  const leftOut: string[] = []
  let bytes = 0
  for (const tool of tools) {
    const reason = usable.has(tool.name)
      ? 'another tool has this name'
      : usable.size >= TOOLS_MAX
        ? `only ${TOOLS_MAX} tools are used`
        : (problemOf(tool) ?? (bytes > SCHEMAS_BYTES ? `the schemas of all tools have more than ${SCHEMAS_BYTES} bytes` : null))
    if (reason === null) {
      usable.set(tool.name, toListedTool(tool))
      bytes += JSON.stringify(tool.inputSchema).length
    } else if (leftOut.length < LEFT_OUT_MAX) leftOut.push(`${sanitizeText(tool.name, 60)}: ${reason}`)
  }
  return { tools: [...usable.values()], leftOut }
}

function problemOf({ name, inputSchema }: Tool): string | null {
  if (name.length === 0 || name.length > NAME_MAX) return `its name has more than ${NAME_MAX} characters`
  if (JSON.stringify(inputSchema).length > SCHEMA_BYTES) return `its schema has more than ${SCHEMA_BYTES} bytes`
  return isDeeper(inputSchema, SCHEMA_DEPTH) ? `its schema is nested deeper than ${SCHEMA_DEPTH} levels` : null
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

const toListedTool = ({ name, title, annotations, description = '', inputSchema }: Tool): ListedTool => ({
  tool: name,
  title: sanitizeText(title ?? annotations?.title ?? name, 100),
  description: sanitizeText(description, DESCRIPTION_MAX),
  parameters: inputSchema,
  readOnly: annotations?.readOnlyHint === true,
})

/** Reads the tools of one server with their names for the assistant of a user. Throws `DomainError`. */
export async function listNamedTools(needs: Needs, server: McpServerRow, userId: string): Promise<readonly McpTool[]> {
  const [all, { tools }] = await Promise.all([
    serversOf(needs, server.projectId, userId),
    listServerTools(needs, server, userId, { refresh: true }),
  ])
  const prefix = prefixesOf(all.some(({ id }) => id === server.id) ? all : [...all, server]).get(server.id) ?? ''
  return tools.map((tool) => ({ name: toolName(prefix, tool.tool), ...tool }))
}

const serversOf = ({ sql }: Pick<Context, 'sql'>, projectId: string, userId: string) =>
  listServers(sql, projectId, userId, null, 2 * SERVERS_MAX)

/**
 * Lists the tools of all enabled MCP servers of a user in a store, own and shared. Leaves out a server that fails or is slow. Throws only
 * the reason of an abort.
 */
export async function listExternalTools(
  needs: Needs & Pick<Context, 'log'>,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
  signal: AbortSignal,
): Promise<ExternalTool[]> {
  const servers = await serversOf(needs, projectId, userId)
  const prefixes = prefixesOf(servers)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const lists = await Promise.all(
    servers
      .filter(({ enabled }) => enabled)
      .map(async (server) => {
        const listed = await raceAbort(listServerTools(needs, server, userId), patience).catch((err: unknown) => {
          needs.log.debug({ err, server: server.id }, 'an MCP server is not available')
          return null
        })
        return (listed?.tools ?? []).map((tool) => toExternalTool(needs, server, userId, prefixes.get(server.id) ?? '', tool))
      }),
  )
  signal.throwIfAborted()
  return lists.flat().slice(0, TOOLS_MAX_TOGETHER)
}

const toExternalTool = (needs: Needs, server: McpServerRow, userId: string, prefix: string, tool: ListedTool): ExternalTool => ({
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
  visit: SessionCall & { readonly signal: AbortSignal },
  { tool: name, parameters }: ListedTool,
  args: Readonly<Record<string, unknown>>,
): Promise<{ text: string; failed: boolean }> {
  // The library needs the definition for arguments in headers, and this session may not have listed the tools.
  const toolDefinition = { name, inputSchema: { ...parameters, type: 'object' as const } }
  try {
    return await needs.mcpSessions.withSession(needs, visit, async ({ client }, signal) => {
      const answer = await client.callTool({ name, arguments: { ...args } }, { timeout: CALL_MS, signal, toolDefinition })
      return { text: formatToolResult(answer), failed: answer.isError === true }
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { text: describeError(error), failed: true }
  }
}
