import type { Message } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../http/errors/errors.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { estimateCost, tokensOf } from '../../models/price.ts'
import { skillsFor } from '../../skills/skills.ts'
import { findConversation } from '../chat.queries.ts'
import { pathOf } from '../path.ts'
import { rulesFor } from '../rules/rules.ts'
import { history, systemText } from './prompt.ts'
import { ownTools } from './toolbox.ts'

interface EstimateRequest {
  readonly text: string
  readonly model?: string
  readonly conversationId?: string
  readonly maxTokens?: number
}

/** Assumed limit of an answer when the request names none. */
const ANSWER_TOKENS = 4_096

/** Estimates the cost of an answer without calling a model. Leaves out the tools of MCP servers. Throws `not_found`. */
export async function estimate(context: Context, store: Store, userId: string, request: EstimateRequest) {
  const { sql } = context
  const conversation = request.conversationId === undefined ? undefined : await findConversation(sql, request.conversationId)
  if (request.conversationId !== undefined && (conversation?.userId !== userId || conversation.storeId !== store.id))
    throw notFound('The conversation')
  const [usable, rules, skills, path] = await Promise.all([
    context.chatModels.find(context, store.id, request.model ?? conversation?.model ?? undefined),
    rulesFor(sql, store.id, userId, conversation?.path ?? null),
    skillsFor(sql, store.id, userId),
    conversation?.leafId ? pathOf(sql, conversation.leafId) : [],
  ])
  const system = systemText({ store, rules, skills })
  const messages: Message[] = [
    { role: 'system', text: system },
    ...history(path, usable.id),
    { role: 'user', parts: [{ type: 'text', text: request.text }] },
  ]
  const asked = { messages, maxTokens: request.maxTokens ?? ANSWER_TOKENS, ...(usable.model.tools && { tools: [...ownTools(skills)] }) }
  const { inputTokens, outputTokens } = tokensOf(asked, usable.model.outputTokens)
  return {
    model: usable.id,
    inputTokens,
    maxTokens: outputTokens,
    currency: usable.currency,
    cost: estimateCost(usable, asked) ?? null,
  }
}
