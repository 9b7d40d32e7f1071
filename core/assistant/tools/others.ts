import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { type ExternalTool, toolsOf } from '../mcp/tools.ts'
import type { ProposalRow } from './proposals.queries.ts'
import type { Draft } from './tool.ts'

export type CallArguments = Readonly<Record<string, unknown>>

/** What people are shown before a tool of somebody else's server is called: whose it is, and with what. */
export const draftOfCall = ({ server, tool }: ExternalTool, args: CallArguments): Draft => ({
  thing: server.id,
  before: {},
  after: { server: server.name, url: server.url, tool, arguments: args },
})

/** The tool that was proposed, as its person has it now. Throws `conflict` where he has it no more. */
export async function findProposed(context: Context, proposal: ProposalRow): Promise<{ tool: ExternalTool; args: CallArguments }> {
  const tools = await toolsOf(context, proposal, new AbortController().signal)
  const tool = tools.find((each) => each.server.id === proposal.thing && each.tool === proposal.after.tool)
  if (!tool) throw new ApiError('conflict', 'Its server cannot be reached now, or has no such tool any more. Nothing was done.')
  return { tool, args: proposal.arguments as CallArguments }
}
