import { Type as T } from '@sinclair/typebox'
import type { Tool, ToolCall } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { type ExternalTool, listExternalTools } from '../../mcp/tools.ts'
import { listLoadableSkills, readSkillText, type SkillRow } from '../../skills/skills.ts'
import {
  builtInToolDefinitions,
  callBuiltInTool,
  isBuiltInTool,
  proposeCall,
  type ToolCallContext,
  type ToolResult,
  wrapData,
} from '../../tools/call-tool.ts'

const LOAD_SKILL: Tool = {
  name: 'load_skill',
  description: 'Reads a skill by its name, or one of its files by its path.',
  parameters: JSON.parse(
    JSON.stringify(T.Object({ name: T.String(), path: T.Optional(T.String()) }, { additionalProperties: false })),
  ) as Record<string, unknown>,
}
/** Tools that a model gets with one request. */
const TOOLS_MAX = 128

/** Tools that the assistant can call for a user in a store. */
export interface Toolbox {
  readonly tools: readonly Tool[]
  readonly skills: readonly SkillRow[]
  /** Calls a tool by name. A failure is a result with `failed`; throws only the reason of an abort. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>
}

/** Returns the tools that need no MCP server: the built-in ones, and `load_skill` if the user has skills. */
export const localTools = (skills: readonly SkillRow[]): readonly Tool[] => [
  ...builtInToolDefinitions,
  ...(skills.length > 0 ? [LOAD_SKILL] : []),
]

/** Collects the built-in tools, the skills, and the tools of the MCP servers that the user has in the store. */
export async function buildToolbox(context: Context, of: ToolCallContext, signal: AbortSignal): Promise<Toolbox> {
  const [skills, others] = await Promise.all([
    listLoadableSkills(context.sql, of.projectId, of.userId),
    listExternalTools(context, of, signal),
  ])
  const definitions = [...localTools(skills), ...others.map(definitionOf)]
  return {
    tools: definitions.slice(0, TOOLS_MAX),
    skills,
    async call({ name, arguments: args }, callSignal) {
      if (isBuiltInTool(name)) return callBuiltInTool(context, of, name, args)
      if (name === LOAD_SKILL.name) return loadSkill(context, skills, args)
      const other = others.find((each) => each.name === name)
      if (!other) return { text: `There is no tool ${name.slice(0, 64)}.`, failed: true, proposalId: null }
      return callExternal(context, of, other, args, callSignal)
    },
  }
}

const definitionOf = ({ name, description, parameters, readOnly }: ExternalTool): Tool => ({
  name,
  description: readOnly ? description : `${description} Nothing is done until the person confirms it.`.trim(),
  parameters: { ...parameters },
})

/**
 * Calls a read-only tool of an MCP server at once; any other call becomes a proposal. A text of a customer may have made the model call it
 * (prompt injection).
 */
async function callExternal(
  context: Context,
  of: ToolCallContext,
  tool: ExternalTool,
  args: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const given = objectOf(args)
  if (!given) return { text: 'The arguments are not a JSON object.', failed: true, proposalId: null }
  if (!tool.readOnly) return proposeCall(context, of, tool, given)
  const { text, failed } = await tool.call(given, signal)
  return { text: wrapData(text), failed, proposalId: null }
}

async function loadSkill({ sql }: Context, skills: readonly SkillRow[], args: string): Promise<ToolResult> {
  const { name, path } = objectOf(args) ?? {}
  const skill = skills.find((each) => each.name === name)
  const text = skill ? await readSkillText(sql, skill, typeof path === 'string' ? path : undefined) : null
  return text === null
    ? { text: 'There is no such skill, or it has no such file.', failed: true, proposalId: null }
    : { text, failed: false, proposalId: null }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
