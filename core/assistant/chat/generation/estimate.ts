import type { Message } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { estimateCost, estimateRequestTokens } from '../../models/price.ts'
import { listLoadableSkills } from '../../skills/skills.ts'
import { findConversation } from '../chat.queries.ts'
import { readMessagePath } from '../message-path.ts'
import { listRuleTexts } from '../rules/rules.ts'
import { buildHistory, buildSystemPrompt } from './prompt.ts'
import { modelSource } from './source.ts'
import { localTools } from './toolbox.ts'

interface EstimateRequest {
  readonly text: string
  readonly model?: string
  readonly conversationId?: string
  readonly maxTokens?: number
}

/** Assumed limit of an answer when the request names none. */
const ANSWER_TOKENS = 4_096

/** Estimates the cost of an answer without calling a model. Leaves out the tools of MCP servers. Throws `not_found`. */
export async function estimateAnswer(context: Context, store: Store, userId: string, request: EstimateRequest) {
  const { sql } = context
  const conversation =
    request.conversationId === undefined
      ? undefined
      : await findConversation(sql, { projectId: store.projectId, id: request.conversationId })
  if (request.conversationId !== undefined && conversation?.userId !== userId) throw notFound('The conversation')
  const [usable, rules, skills, path] = await Promise.all([
    modelSource.find(context, store.id, request.model ?? conversation?.model ?? undefined),
    listRuleTexts(sql, store.projectId, userId, conversation?.path ?? null),
    listLoadableSkills(sql, store.projectId, userId),
    conversation?.leafId ? readMessagePath(sql, store.projectId, conversation.leafId) : [],
  ])
  const system = buildSystemPrompt({ store, rules, skills })
  const messages: Message[] = [
    { role: 'system', text: system },
    ...buildHistory(path, usable.id),
    { role: 'user', parts: [{ type: 'text', text: request.text }] },
  ]
  const asked = { messages, maxTokens: request.maxTokens ?? ANSWER_TOKENS, ...(usable.model.tools && { tools: [...localTools(skills)] }) }
  const { inputTokens, outputTokens } = estimateRequestTokens(asked, usable.model.outputTokens)
  return {
    model: usable.id,
    inputTokens,
    maxTokens: outputTokens,
    currency: usable.currency,
    cost: estimateCost(usable, asked) ?? null,
  }
}
