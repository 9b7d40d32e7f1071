import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../http/openapi/operation.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { conversationAccess } from './authority.ts'
import {
  ChatModel,
  Conversation,
  ConversationChange,
  ConversationPage,
  Estimate,
  EstimateInput,
  MessageCursor,
  NewConversation,
  NewMessage,
  StartedGeneration,
} from './chat.model.ts'
import { deleteConversation } from './chat.queries.ts'
import { addConversation, changeConversation, readConversation, readConversations } from './conversations.ts'
import { estimateAnswer } from './generation/estimate.ts'
import { streamEvents, wantsEventStream } from './generation/event-stream.ts'
import { modelSource } from './generation/source.ts'
import { acquireStream } from './generation/stream-limit.ts'
import { deleteMessage, sendMessage } from './send-message.ts'

/** OpenAPI detail of a chat route. */
export const describeChatRoute = (summary: string, operationId: string) => ({ tags: ['Chat'], summary, operationId })
const ById = T.Object({ id: Id })

/** Routes for conversations of a user with the assistant of a store, and for their messages. */
export function conversations(context: Context) {
  const { sql, authority, generationRunner: generating } = context
  return new Elysia({ name: 'conversations', prefix: '/v1/chat' })
    .use(authority)
    .macro('conversation', conversationAccess(context))
    .get(
      '/models',
      async ({ store }) => ({
        data: (await modelSource.list(context, store.id)).map(({ id, model, ownedBy, currency }) => ({
          id,
          name: model.name,
          ownedBy,
          tools: model.tools,
          contextTokens: model.contextTokens ?? null,
          currency,
          inputTokenPrice: model.prices?.inputToken ?? null,
          outputTokenPrice: model.prices?.outputToken ?? null,
        })),
      }),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id }),
        response: Data(T.Array(ChatModel)),
        detail: describeChatRoute('List the models that can answer in a store, those of its own connections first', 'listChatModels'),
      },
    )
    .post('/estimate', async ({ store, person, body }) => ({ data: await estimateAnswer(context, store, person.id, body) }), {
      member: ['viewer', 'stores:read'],
      body: EstimateInput,
      response: Data(Estimate),
      detail: describeChatRoute('Estimate the highest cost of one answer', 'estimateChat'),
    })
    .get(
      '/conversations',
      ({ store, person, query }) =>
        readKeysetPage(query, (before, take) => readConversations(sql, store.projectId, person.id, before, take)),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(Conversation),
        detail: describeChatRoute('List your conversations in a store, newest first', 'listConversations'),
      },
    )
    .post(
      '/conversations',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await addConversation(tx, creation.person.id, creation.body) })),
      {
        member: ['viewer', 'stores:read'],
        body: NewConversation,
        response: { 201: Data(Conversation) },
        detail: describeChatRoute('Start a conversation', 'addConversation'),
      },
    )
    .get('/conversations/:id', ({ conversation, query }) => readConversation(sql, conversation, query.cursor ?? null), {
      conversation: true,
      params: ById,
      query: T.Object({ cursor: T.Optional(MessageCursor) }),
      response: ConversationPage,
      detail: describeChatRoute('Read a conversation with the messages of every branch; of a long one the newest', 'getConversation'),
    })
    .patch(
      '/conversations/:id',
      async ({ conversation, body }) => ({ data: await transaction(sql, (tx) => changeConversation(tx, conversation, body)) }),
      {
        conversation: true,
        params: ById,
        body: ConversationChange,
        response: Data(Conversation),
        detail: describeChatRoute('Change a conversation, or select another branch of it', 'changeConversation'),
      },
    )
    .delete(
      '/conversations/:id',
      async ({ conversation, set }) => {
        if (conversation.generationId) generating.cancel(conversation.generationId)
        await deleteConversation(sql, conversation)
        set.status = 204
      },
      {
        conversation: true,
        params: ById,
        response: { 204: T.Void() },
        detail: describeChatRoute('Delete a conversation', 'deleteConversation'),
      },
    )
    .post(
      '/conversations/:id/messages',
      async (creation) => {
        const { conversation, body, request, set } = creation
        const release = wantsEventStream(request) ? acquireStream(conversation.userId, request.signal) : null
        const sending = createOnce(context, creation, async (tx) => ({ data: await sendMessage(tx, conversation, body) }))
        const answer = await sending.catch((error) => {
          release?.()
          throw error
        })
        const generation = { projectId: conversation.projectId, id: answer.data.generation.id }
        generating.run(generation)
        if (release) return streamEvents(context, generation, 0, release, answer.data)
        set.status = 202
        return answer
      },
      {
        conversation: true,
        params: ById,
        body: NewMessage,
        response: { 202: Data(StartedGeneration) },
        detail: {
          ...describeChatRoute(
            'Send a message; the answer is generated in the background, or streamed for Accept: text/event-stream',
            'say',
          ),
          parameters: [idempotencyKeyHeader],
        },
      },
    )
    .delete(
      '/conversations/:id/messages/:messageId',
      async ({ conversation, params, set }) => {
        await transaction(sql, (tx) => deleteMessage(tx, conversation, params.messageId))
        set.status = 204
      },
      {
        conversation: true,
        params: T.Object({ id: Id, messageId: Id }),
        response: { 204: T.Void() },
        detail: describeChatRoute('Delete a message with all messages that follow it', 'deleteMessage'),
      },
    )
}
