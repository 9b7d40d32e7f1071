import { storeIdOf } from '../../data/project-ids.ts'
import type { ChatMessage, Conversation, Generation } from './chat.model.ts'
import type { ConversationRow, MessageRow } from './chat.queries.ts'
import type { GenerationRow } from './generation/generations.queries.ts'
import { presentCall } from './generation/parts.ts'

/** API view of a conversation. */
export const presentConversation = ({ userId: _, ...row }: ConversationRow): Conversation => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  title: row.title,
  model: row.model,
  path: row.path,
  leafId: row.leafId,
  generationId: row.generationId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** API view of a message; leaves out the data that only a model may see. */
export const presentMessage = (row: MessageRow): ChatMessage => ({
  id: row.id,
  parentId: row.parentId,
  role: row.role,
  text: row.text,
  toolCalls: row.toolCalls.map((call) => presentCall(call, null)),
  callId: row.callId,
  tool: row.tool,
  failed: row.failed,
  proposalId: row.proposalId,
  coversId: row.coversId,
  generationId: row.generationId,
  createdAt: row.createdAt,
})

/** API view of a generation. */
export const presentGeneration = (row: GenerationRow): Generation => ({
  id: row.id,
  conversationId: row.conversationId,
  messageId: row.messageId,
  model: row.model,
  state: row.state,
  reason: row.reason,
  problem: row.problem,
  cancelRequested: row.cancelRequested,
  lastSeq: row.lastSeq,
  answerId: row.answerId,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  cost: row.cost,
  currency: row.currency,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
})
