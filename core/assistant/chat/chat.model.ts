import { type Static, Type as T } from '@sinclair/typebox'
import { Printed, Written } from '../../../plugins/schema.ts'
import { exact, Id, Maybe, Nullable, named, oneField, oneOf, stated, Timestamp } from '../../http/schema.ts'

export const MESSAGES_MAX = 2_000
export const QUEUE_MAX = 50
export const RULES_MAX = 50
export const CONVERSATIONS_MAX = 1_000
export const generationStates = ['running', 'completed', 'failed', 'cancelled'] as const
export type GenerationState = (typeof generationStates)[number]

const ModelName = Printed(300, 1)
const Path = T.String({ minLength: 1, maxLength: 500, description: 'where in the pages of the store it is about: rules by path go by it' })
const Prompt = Written(50_000, 1)

export const NewConversation = named(
  'NewConversation',
  exact({
    storeId: Id,
    title: Maybe(Printed(200)),
    model: Maybe(Nullable(ModelName, { description: 'as /v1/chat/models names it; the first that can, if left out' })),
    path: Maybe(Nullable(Path)),
  }),
)
export type NewConversation = Static<typeof NewConversation>
export const ConversationChange = named(
  'ConversationChange',
  exact(
    {
      title: Maybe(Printed(200)),
      model: Maybe(Nullable(ModelName)),
      path: Maybe(Nullable(Path)),
      leafId: Maybe({ ...Id, description: 'the last message of the branch to go on with' }),
    },
    { minProperties: 1 },
  ),
)
export type ConversationChange = Static<typeof ConversationChange>

const conversation = {
  id: Id,
  storeId: Id,
  title: T.String(),
  model: Nullable(T.String()),
  path: Nullable(T.String()),
  leafId: Nullable(Id, { description: 'the last message of the branch that is shown' }),
  generationId: Nullable(Id, { description: 'of the answer that is being made' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const Conversation = named('Conversation', T.Object(conversation))
export type Conversation = Static<typeof Conversation>

export const ChatMessage = named(
  'ChatMessage',
  T.Object({
    id: Id,
    parentId: Nullable(Id),
    role: oneOf(['user', 'assistant', 'tool', 'summary'], { description: '`summary`: what stood before is told to the model by this' }),
    text: T.String(),
    toolCalls: T.Array(T.Object({ id: T.String(), name: T.String(), arguments: T.String({ description: 'JSON, as the model wrote it' }) })),
    callId: Nullable(T.String(), { description: 'which call this answers' }),
    tool: Nullable(T.String()),
    failed: T.Boolean(),
    proposalId: Nullable(Id, { description: 'of a change that waits for your word' }),
    coversId: Nullable(Id, { description: 'of a summary: the last message that it stands for' }),
    generationId: Nullable(Id),
    createdAt: Timestamp,
  }),
)
export type ChatMessage = Static<typeof ChatMessage>
export const WholeConversation = named(
  'WholeConversation',
  T.Object({
    ...conversation,
    messages: T.Array(ChatMessage, {
      description:
        'on every branch, in the order in which they were said; of a long conversation the last, and those before them by nextCursor',
    }),
  }),
)
export const ConversationPage = T.Object({ data: WholeConversation, nextCursor: Nullable(T.String()) })
export const MessageCursor = T.String({ pattern: '^msg_[0-9a-z]{1,60}$', description: 'nextCursor of the answer before' })

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
export type NewMessage = Static<typeof NewMessage>

export const Generation = named(
  'ChatGeneration',
  T.Object(
    {
      id: Id,
      conversationId: Id,
      messageId: Id,
      model: Nullable(T.String()),
      state: oneOf(generationStates),
      reason: Nullable(T.String(), { description: 'why it stopped: stop, length, refused, rounds, interrupted, cancelled, error' }),
      problem: Nullable(T.String()),
      cancelRequested: T.Boolean(),
      lastSeq: T.Integer({ description: 'id of the last event' }),
      answerId: Nullable(Id, { description: 'the last message of the answer' }),
      inputTokens: T.Integer(),
      outputTokens: T.Integer(),
      cost: Nullable(T.String({ description: 'an exact decimal; null where nobody knows' })),
      currency: Nullable(T.String()),
      createdAt: Timestamp,
      endedAt: Nullable(Timestamp),
    },
    { description: 'Kept for 30 days after its end; the answer stays with its conversation.' },
  ),
)
export type Generation = Static<typeof Generation>
export const Begun = named('ChatBegun', T.Object({ message: ChatMessage, generation: Generation }))
export type Begun = Static<typeof Begun>

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

export const ChatModel = named(
  'ChatModel',
  T.Object({
    id: T.String(),
    name: T.String(),
    ownedBy: oneOf(['store', 'platform']),
    tools: T.Boolean(),
    contextTokens: Nullable(T.Integer()),
    currency: T.String(),
    inputTokenPrice: Nullable(T.String({ description: 'of one token, an exact decimal' })),
    outputTokenPrice: Nullable(T.String()),
  }),
)

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
export const Estimate = named(
  'ChatEstimate',
  T.Object({
    model: T.String(),
    inputTokens: T.Integer(),
    maxTokens: T.Integer(),
    currency: T.String(),
    cost: Nullable(T.String({ description: 'what it comes to at most, by our own count; null where its price is not known' })),
  }),
)

export const QueueItem = named(
  'ChatQueueItem',
  T.Object({
    id: Id,
    position: T.Integer(),
    text: T.String(),
    problem: Nullable(T.String(), { description: 'why it cannot be said now: it waits until there is room, and is then consumed' }),
    createdAt: Timestamp,
  }),
)
export type QueueItem = Static<typeof QueueItem>
export const QueuePrompt = named('ChatQueuePrompt', exact({ text: Prompt }))
export const QueueOrder = named(
  'ChatQueueOrder',
  exact({ ids: T.Array(Id, { maxItems: QUEUE_MAX, uniqueItems: true, description: 'all that wait, in their new order' }) }),
)

const Glob = T.String({ minLength: 1, maxLength: 200, description: 'such as /products/**' })
const rule = {
  name: Printed(100, 1),
  text: Written(4_000, 1),
  paths: T.Array(Glob, { maxItems: 20, description: 'what paths it is for; for all where there are none' }),
  enabled: T.Boolean(),
}
export const NewRule = named(
  'NewChatRule',
  exact({
    storeId: Id,
    name: rule.name,
    text: rule.text,
    shared: Maybe(T.Boolean({ default: false, description: "the whole store's, which admins add; else yours alone" })),
    paths: Maybe(rule.paths),
    enabled: Maybe(rule.enabled),
  }),
)
export type NewRule = Static<typeof NewRule>
export const RuleChange = named(
  'ChatRuleChange',
  exact({ name: Maybe(rule.name), text: Maybe(rule.text), paths: Maybe(rule.paths), enabled: Maybe(rule.enabled) }, { minProperties: 1 }),
)
export type RuleChange = Static<typeof RuleChange>
export const Rule = named(
  'ChatRule',
  T.Object({ id: Id, storeId: Id, shared: T.Boolean(), ...rule, createdAt: Timestamp, updatedAt: Timestamp }),
)
export type Rule = Static<typeof Rule>
