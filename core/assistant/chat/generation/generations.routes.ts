import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../../http/openapi/operation.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { assertCanShareRules, conversationAccess, generationAccess, ruleAccess } from '../authority.ts'
import { ChatJob, Generation, NewRule, QueueItem, QueueOrder, QueuePrompt, Rule, RuleChange, StartedGeneration } from '../chat.model.ts'
import { describeChatRoute } from '../chat.routes.ts'
import { presentGeneration } from '../present.ts'
import { addToQueue, consumeQueue, editQueuedPrompt, readQueue, removeFromQueue, reorderQueue } from '../queue/queue.ts'
import { deleteRule, listRules } from '../rules/rules.queries.ts'
import { addRule, changeRule, presentRule } from '../rules/rules.ts'
import { parseLastEventId, streamEvents, wantsEventStream } from './event-stream.ts'
import { requestCancellation } from './generations.queries.ts'
import { acquireStream } from './stream-limit.ts'

const ById = T.Object({ id: Id })
const ByItem = T.Object({ id: Id, itemId: Id })

/** Routes to read, stream and cancel generations. A generation continues without a client. */
export const generations = (context: Context) =>
  new Elysia({ name: 'generations', prefix: '/v1/chat' })
    .use(context.auth)
    .macro('generation', generationAccess(context))
    .get(
      '/generations/:generationId',
      ({ generation, request }) =>
        wantsEventStream(request)
          ? streamEvents(context, generation, parseLastEventId(request), acquireStream(generation.userId, request.signal))
          : { data: presentGeneration(generation) },
      {
        generation: true,
        params: T.Object({ generationId: Id }),
        response: Data(Generation),
        detail: describeChatRoute(
          'Read a generation; for Accept: text/event-stream, stream it from Last-Event-ID to its end',
          'getGeneration',
        ),
      },
    )
    .post(
      '/generations/:generationId/cancel',
      async ({ generation }) => {
        const row = await requestCancellation(context.sql, generation)
        context.generationRunner.cancel(generation.id)
        if (!row) throw notFound('The generation')
        return { data: presentGeneration(row) }
      },
      {
        generation: true,
        params: T.Object({ generationId: Id }),
        response: Data(Generation),
        detail: describeChatRoute('Cancel a generation; the parts until then are saved', 'cancelGeneration'),
      },
    )
    .get(
      '/jobs/:jobId',
      ({ generation: { id, state, problem, createdAt, endedAt } }) => ({
        data: { id, kind: 'generation' as const, state, problem, createdAt, endedAt },
      }),
      {
        generation: true,
        params: T.Object({ jobId: Id }),
        response: Data(ChatJob),
        detail: describeChatRoute('Read a background job; the id of a generation is its job id', 'getChatJob'),
      },
    )

/** Routes for the prompts that wait in a conversation. */
export const chatQueue = (context: Context) =>
  new Elysia({ name: 'chat queue', prefix: '/v1/chat/conversations/:id/queue' })
    .use(context.auth)
    .macro('conversation', conversationAccess(context))
    .get('', async ({ conversation }) => ({ data: await readQueue(context.sql, conversation) }), {
      conversation: true,
      params: ById,
      response: Data(T.Array(QueueItem)),
      detail: describeChatRoute('List the waiting prompts in order', 'listChatQueue'),
    })
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await addToQueue(tx, creation.conversation, creation.body.text) })),
      {
        conversation: true,
        params: ById,
        body: QueuePrompt,
        response: { 201: Data(QueueItem) },
        detail: describeChatRoute(
          'Add a prompt to the queue; it is sent when the answer before it completes, unless the conversation is full',
          'addToChatQueue',
        ),
      },
    )
    .put(
      '/reorder',
      async ({ conversation, body }) => ({ data: await transaction(context.sql, (tx) => reorderQueue(tx, conversation, body.ids)) }),
      {
        conversation: true,
        params: ById,
        body: QueueOrder,
        response: Data(T.Array(QueueItem)),
        detail: describeChatRoute('Reorder the waiting prompts', 'reorderChatQueue'),
      },
    )
    .post(
      '/consume',
      async (creation) => {
        const { conversation, set } = creation
        const answer = await createOnce(context, creation, async (tx) => ({ data: await consumeQueue(tx, conversation) }))
        context.generationRunner.run({ projectId: conversation.projectId, id: answer.data.generation.id })
        set.status = 202
        return answer
      },
      {
        conversation: true,
        params: ById,
        response: { 202: Data(StartedGeneration) },
        detail: {
          ...describeChatRoute('Send the first waiting prompt, unless an answer is being generated', 'consumeChatQueue'),
          parameters: [idempotencyKeyHeader],
        },
      },
    )
    .patch(
      '/:itemId',
      async ({ conversation, params, body }) => ({
        data: await transaction(context.sql, (tx) => editQueuedPrompt(tx, conversation, params.itemId, body.text)),
      }),
      {
        conversation: true,
        params: ByItem,
        body: QueuePrompt,
        response: Data(QueueItem),
        detail: describeChatRoute('Change a waiting prompt', 'changeInChatQueue'),
      },
    )
    .delete(
      '/:itemId',
      async ({ conversation, params, set }) => {
        await transaction(context.sql, (tx) => removeFromQueue(tx, conversation, params.itemId))
        set.status = 204
      },
      {
        conversation: true,
        params: ByItem,
        response: { 204: T.Void() },
        detail: describeChatRoute('Remove a prompt from the queue', 'removeFromChatQueue'),
      },
    )

/** Routes for the rules that the assistant gets with each request. */
export const chatRules = (context: Context) =>
  new Elysia({ name: 'chat rules', prefix: '/v1/chat/rules' })
    .use(context.authority)
    .macro('rule', ruleAccess(context))
    .get(
      '',
      ({ store, person, query }) =>
        readKeysetPage(query, async (after, take) =>
          (await listRules(context.sql, store.projectId, person.id, after, take)).map(presentRule),
        ),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(Rule),
        detail: describeChatRoute('List your own rules and the shared ones of the store, oldest first', 'listChatRules'),
      },
    )
    .post(
      '',
      async (creation) => {
        const { caller, store, body, person } = creation
        if (body.shared) await assertCanShareRules(context, caller, store.id)
        return createOnce(context, creation, async (tx) => ({ data: await addRule(tx, person.id, body) }))
      },
      {
        member: ['viewer', 'stores:read'],
        body: NewRule,
        response: { 201: Data(Rule) },
        detail: describeChatRoute('Add a rule of your own, or as an admin a shared one; for all paths or some', 'addChatRule'),
      },
    )
    .patch('/:id', async ({ rule, body }) => ({ data: await changeRule(context.sql, rule, body) }), {
      rule: true,
      params: ById,
      body: RuleChange,
      response: Data(Rule),
      detail: describeChatRoute('Change a rule; a shared one requires an admin', 'changeChatRule'),
    })
    .delete(
      '/:id',
      async ({ rule, set }) => {
        await deleteRule(context.sql, rule)
        set.status = 204
      },
      { rule: true, params: ById, response: { 204: T.Void() }, detail: describeChatRoute('Delete a rule', 'deleteChatRule') },
    )
