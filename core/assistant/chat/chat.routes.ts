import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { idempotencyKey } from '../../http/openapi/openapi.ts'
import { page } from '../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { ofTalker } from './authority.ts'
import {
  Begun,
  ChatModel,
  Conversation,
  ConversationChange,
  ConversationPage,
  Estimate,
  EstimateInput,
  MessageCursor,
  NewConversation,
  NewMessage,
} from './chat.model.ts'
import { deleteConversation } from './chat.queries.ts'
import { addConversation, changeConversation, readConversation, readConversations } from './conversations.ts'
import { estimate } from './generation/estimate.ts'
import { eventsOf, wantsEvents } from './generation/follow.ts'
import { beginListening } from './generation/listening.ts'
import { say, unsay } from './send-message.ts'

export const describe = (summary: string, operationId: string) => ({ tags: ['Chat'], summary, operationId })
const ById = T.Object({ id: Id })

/** Conversations of people with an assistant that knows their store. */
export function conversations(context: Context) {
  const { sql, authority, generating } = context
  return new Elysia({ name: 'conversations', prefix: '/v1/chat' })
    .use(authority)
    .macro('conversation', ofTalker(context))
    .get(
      '/models',
      async ({ store }) => ({
        data: (await context.chatModels.list(context, store.id)).map(({ id, model, ownedBy, currency }) => ({
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
        detail: describe('The models that may answer in a store: of its own connections first', 'listChatModels'),
      },
    )
    .post('/estimate', async ({ store, person, body }) => ({ data: await estimate(context, store, person.id, body) }), {
      member: ['viewer', 'stores:read'],
      body: EstimateInput,
      response: Data(Estimate),
      detail: describe('What one answer may come to at most, by our own arithmetic', 'estimateChat'),
    })
    .get(
      '/conversations',
      ({ store, person, query }) => page(query, (before, take) => readConversations(sql, store.id, person.id, before, take)),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(Conversation),
        detail: describe('Your conversations in a store, newest first', 'listConversations'),
      },
    )
    .post(
      '/conversations',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await addConversation(tx, creation.person.id, creation.body) })),
      {
        member: ['viewer', 'stores:read'],
        body: NewConversation,
        response: { 201: Data(Conversation) },
        detail: describe('Begin a conversation', 'addConversation'),
      },
    )
    .get('/conversations/:id', ({ conversation, query }) => readConversation(sql, conversation, query.cursor ?? null), {
      conversation: true,
      params: ById,
      query: T.Object({ cursor: T.Optional(MessageCursor) }),
      response: ConversationPage,
      detail: describe('A conversation with what was said, on every branch: all of it, or the last of what is long', 'getConversation'),
    })
    .patch(
      '/conversations/:id',
      async ({ conversation, body }) => ({ data: await transaction(sql, (tx) => changeConversation(tx, conversation.id, body)) }),
      {
        conversation: true,
        params: ById,
        body: ConversationChange,
        response: Data(Conversation),
        detail: describe('Change a conversation, or go on with another branch of it', 'changeConversation'),
      },
    )
    .delete(
      '/conversations/:id',
      async ({ conversation, set }) => {
        if (conversation.generationId) generating.cancel(conversation.generationId)
        await deleteConversation(sql, conversation.id)
        set.status = 204
      },
      {
        conversation: true,
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a conversation', 'deleteConversation'),
      },
    )
    .post(
      '/conversations/:id/messages',
      async (creation) => {
        const { conversation, body, request, set } = creation
        const leave = wantsEvents(request) ? beginListening(conversation.userId, request.signal) : null
        const saying = createOnce(context, creation, async (tx) => ({ data: await say(tx, conversation.id, body) }))
        const answer = await saying.catch((error) => {
          leave?.()
          throw error
        })
        const { id } = answer.data.generation
        generating.take(id)
        if (leave) return eventsOf(context, id, 0, leave, answer.data)
        set.status = 202
        return answer
      },
      {
        conversation: true,
        params: ById,
        body: NewMessage,
        response: { 202: Data(Begun) },
        detail: {
          ...describe('Say something: it is answered beside, or, asked for text/event-stream, before your eyes', 'say'),
          parameters: [idempotencyKey],
        },
      },
    )
    .delete(
      '/conversations/:id/messages/:messageId',
      async ({ conversation, params, set }) => {
        await transaction(sql, (tx) => unsay(tx, conversation.id, params.messageId))
        set.status = 204
      },
      {
        conversation: true,
        params: T.Object({ id: Id, messageId: Id }),
        response: { 204: T.Void() },
        detail: describe('Take a message away, with all that followed it', 'deleteMessage'),
      },
    )
}
