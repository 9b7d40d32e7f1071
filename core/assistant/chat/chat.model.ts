import { type Static, Type as T } from '@sinclair/typebox'
import { PrintableText, StorableText } from '../../../plugins/schema.ts'
import { exact, Id, Maybe, Nullable, named, oneField, oneOf, stated, Timestamp } from '../../http/schema.ts'

/** Messages that a conversation may have. */
export const MESSAGES_MAX = 2_000
/** Prompts that may wait in the queue of a conversation. */
export const QUEUE_MAX = 50
/** Rules that a user may have in a store, and that a store may share. */
export const RULES_MAX = 50
/** Conversations that a user may have in a store. */
export const CONVERSATIONS_MAX = 1_000
/** States of a generation; all but `running` are final. */
const generationStates = ['running', 'completed', 'failed', 'cancelled'] as const

const ModelName = PrintableText(300, 1)
const Path = T.String({
  minLength: 1,
  maxLength: 500,
  description: 'page of the store that the conversation is about; rules with paths apply by it',
})
const Prompt = StorableText(50_000, 1)

/** Body that creates a conversation. */
export const NewConversation = named(
  'NewConversation',
  exact({
    storeId: Id,
    title: Maybe(PrintableText(200)),
    model: Maybe(Nullable(ModelName, { description: 'an id of /v1/chat/models; by default the first model that can write' })),
    path: Maybe(Nullable(Path)),
  }),
)
/** Type of {@link NewConversation}. */
export type NewConversation = Static<typeof NewConversation>
/** Body that changes a conversation, or selects another branch of it. */
export const ConversationChange = named(
  'ConversationChange',
  exact(
    {
      title: Maybe(PrintableText(200)),
      model: Maybe(Nullable(ModelName)),
      path: Maybe(Nullable(Path)),
      leafId: Maybe({ ...Id, description: 'last message of the branch to continue' }),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link ConversationChange}. */
export type ConversationChange = Static<typeof ConversationChange>

const conversation = {
  id: Id,
  storeId: Id,
  title: T.String(),
  model: Nullable(T.String()),
  path: Nullable(T.String()),
  leafId: Nullable(Id, { description: 'last message of the selected branch' }),
  generationId: Nullable(Id, { description: 'id of the running generation' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
/** Conversation of a user with the assistant of a store, without its messages. */
export const Conversation = named('Conversation', T.Object(conversation))
/** Type of {@link Conversation}. */
export type Conversation = Static<typeof Conversation>

/** Message of a conversation. Messages form a tree by `parentId`; each leaf ends a branch. */
export const ChatMessage = named(
  'ChatMessage',
  T.Object({
    id: Id,
    parentId: Nullable(Id),
    role: oneOf(['user', 'assistant', 'tool', 'summary']),
    text: T.String(),
    toolCalls: T.Array(T.Object({ id: T.String(), name: T.String(), arguments: T.String({ description: 'JSON as the model wrote it' }) })),
    callId: Nullable(T.String(), { description: 'id of the tool call that this answers' }),
    tool: Nullable(T.String()),
    failed: T.Boolean(),
    proposalId: Nullable(Id, { description: 'proposal that waits for your decision' }),
    coversId: Nullable(Id, { description: 'for a summary: last message that it replaces' }),
    generationId: Nullable(Id),
    createdAt: Timestamp,
  }),
)
/** Type of {@link ChatMessage}. */
export type ChatMessage = Static<typeof ChatMessage>
/** Conversation with a page of its messages. */
const ConversationWithMessages = named(
  'WholeConversation',
  T.Object({
    ...conversation,
    messages: T.Array(ChatMessage, {
      description: 'messages of every branch, oldest first; of a long conversation the newest, and the earlier ones by nextCursor',
    }),
  }),
)
/** Response with a conversation and the cursor of its earlier messages. */
export const ConversationPage = T.Object({ data: ConversationWithMessages, nextCursor: Nullable(T.String()) })
/** Cursor of earlier messages: the id of the oldest message of the page before. */
export const MessageCursor = T.String({ pattern: '^msg_[0-9a-z]{1,60}$', description: 'nextCursor of the previous response' })

/** Body that sends a message, or requests another answer to one. Takes either `text` or `retryOf`. */
export const NewMessage = named(
  'NewChatMessage',
  stated(
    exact(
      {
        text: Maybe(Prompt),
        parentId: Maybe(
          Nullable(Id, {
            description: 'what it follows; the last message shown, if left out; null: nothing. An edit follows what the first did',
          }),
        ),
        retryOf: Maybe({ ...Id, description: 'instead of a text: a message of yours that is to be answered once more' }),
      },
      { minProperties: 1 },
    ),
    oneField('text', 'retryOf'),
  ),
)
/** Type of {@link NewMessage}. */
export type NewMessage = Static<typeof NewMessage>

/** Generation of one answer: its state, its usage and its cost. */
export const Generation = named(
  'ChatGeneration',
  T.Object(
    {
      id: Id,
      conversationId: Id,
      messageId: Id,
      model: Nullable(T.String()),
      state: oneOf(generationStates),
      reason: Nullable(T.String(), { description: 'reason for its end: stop, length, refused, rounds, interrupted, cancelled, error' }),
      problem: Nullable(T.String()),
      cancelRequested: T.Boolean(),
      lastSeq: T.Integer({ description: 'id of the last event' }),
      answerId: Nullable(Id, { description: 'last message of the answer' }),
      inputTokens: T.Integer(),
      outputTokens: T.Integer(),
      cost: Nullable(T.String({ description: 'an exact decimal; null when unknown' })),
      currency: Nullable(T.String()),
      createdAt: Timestamp,
      endedAt: Nullable(Timestamp),
    },
    { description: 'Deleted 30 days after its end; the answer stays in its conversation.' },
  ),
)
/** Type of {@link Generation}. */
export type Generation = Static<typeof Generation>
/** Message of the user together with the generation that answers it. */
export const StartedGeneration = named('ChatBegun', T.Object({ message: ChatMessage, generation: Generation }))
/** Type of {@link StartedGeneration}. */
export type StartedGeneration = Static<typeof StartedGeneration>

/** Generation as a background job. */
export const ChatJob = named(
  'ChatJob',
  T.Object({
    id: Id,
    kind: oneOf(['generation']),
    state: oneOf(generationStates),
    problem: Nullable(T.String()),
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  }),
)

/** Model that can answer in a store. */
export const ChatModel = named(
  'ChatModel',
  T.Object({
    id: T.String(),
    name: T.String(),
    ownedBy: oneOf(['store', 'platform']),
    tools: T.Boolean(),
    contextTokens: Nullable(T.Integer()),
    currency: T.String(),
    inputTokenPrice: Nullable(T.String({ description: 'price of one token, an exact decimal' })),
    outputTokenPrice: Nullable(T.String()),
  }),
)

/** Body that asks for the estimated cost of an answer. */
export const EstimateInput = named(
  'ChatEstimateInput',
  exact({
    storeId: Id,
    text: Prompt,
    model: Maybe(ModelName),
    conversationId: Maybe(Id),
    maxTokens: Maybe(T.Integer({ minimum: 1, maximum: 100_000 })),
  }),
)
/** Estimated tokens and highest cost of an answer. */
export const Estimate = named(
  'ChatEstimate',
  T.Object({
    model: T.String(),
    inputTokens: T.Integer(),
    maxTokens: T.Integer(),
    currency: T.String(),
    cost: Nullable(T.String({ description: 'highest estimated cost; null when the prices are unknown' })),
  }),
)

/** Prompt that waits in the queue of a conversation. */
export const QueueItem = named(
  'ChatQueueItem',
  T.Object({
    id: Id,
    position: T.Integer(),
    text: T.String(),
    problem: Nullable(T.String(), { description: 'reason why it cannot be sent now; it waits until it can be consumed' }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link QueueItem}. */
export type QueueItem = Static<typeof QueueItem>
/** Body that adds or changes a waiting prompt. */
export const QueuePrompt = named('ChatQueuePrompt', exact({ text: Prompt }))
/** Body that reorders the queue: ids of all waiting prompts. */
export const QueueOrder = named(
  'ChatQueueOrder',
  exact({ ids: T.Array(Id, { maxItems: QUEUE_MAX, uniqueItems: true, description: 'ids of all waiting prompts, in their new order' }) }),
)

const Glob = T.String({ minLength: 1, maxLength: 200, description: 'such as /products/**' })
const rule = {
  name: PrintableText(100, 1),
  text: StorableText(4_000, 1),
  paths: T.Array(Glob, { maxItems: 20, description: 'paths that it applies to; all paths when empty' }),
  enabled: T.Boolean(),
}
/** Body that adds a rule for the assistant. */
export const NewRule = named(
  'NewChatRule',
  exact({
    storeId: Id,
    name: rule.name,
    text: rule.text,
    shared: Maybe(T.Boolean({ default: false, description: 'true: shared by the whole store, for admins only; false: yours alone' })),
    paths: Maybe(rule.paths),
    enabled: Maybe(rule.enabled),
  }),
)
/** Type of {@link NewRule}. */
export type NewRule = Static<typeof NewRule>
/** Body that changes a rule. */
export const RuleChange = named(
  'ChatRuleChange',
  exact({ name: Maybe(rule.name), text: Maybe(rule.text), paths: Maybe(rule.paths), enabled: Maybe(rule.enabled) }, { minProperties: 1 }),
)
/** Type of {@link RuleChange}. */
export type RuleChange = Static<typeof RuleChange>
/** Instruction that the assistant gets with each request, for all paths or some. */
export const Rule = named(
  'ChatRule',
  T.Object({ id: Id, storeId: Id, shared: T.Boolean(), ...rule, createdAt: Timestamp, updatedAt: Timestamp }),
)
/** Type of {@link Rule}. */
export type Rule = Static<typeof Rule>
