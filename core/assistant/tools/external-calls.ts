import type { Context } from '../../context.ts'
import { type ExternalTool, listExternalTools } from '../mcp/tools.ts'
import type { ProposalRow } from './proposals.queries.ts'
import type { ChangePreview } from './tool.ts'
import { toolErrors } from './tools.errors.ts'

/** Parsed arguments of a call of an MCP server's tool. */
export type CallArguments = Readonly<Record<string, unknown>>

/** Builds the draft that a user reviews before an MCP server's tool is called: the server, its URL, the tool and the arguments. */
export const previewCall = ({ server, tool }: ExternalTool, args: CallArguments): ChangePreview => ({
  thing: server.id,
  before: {},
  after: { server: server.name, url: server.url, tool, arguments: args },
})

/** Finds the MCP tool that a proposal names, with its stored arguments. Throws `conflict` when the user no longer has that tool. */
export async function findProposedTool(context: Context, proposal: ProposalRow): Promise<{ tool: ExternalTool; args: CallArguments }> {
  const tools = await listExternalTools(context, proposal, new AbortController().signal)
  const tool = tools.find((each) => each.server.id === proposal.thing && each.tool === proposal.after.tool)
  if (!tool) throw toolErrors.toolUnreachable()
  return { tool, args: proposal.arguments as CallArguments }
}
