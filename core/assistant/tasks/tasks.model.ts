import { type Static, Type as T } from '@sinclair/typebox'
import { gifts, sizes, speechFormats, Usage } from '../../../plugins/model/model.ts'
import { freeForm } from '../../http/body/free-form.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Metadata, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { StoredFile } from '../../platform/files/files.model.ts'
import { Amount, AmountGiven } from '../amounts.ts'
import { taskReasons, taskStates } from './states.ts'

const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const PROMPT_MAX = 200_000

const Schema = freeForm({ names: 200, nameLength: 100, bytes: 32 * 1024 }, { description: 'a JSON schema of an object' })
/** Media types of images that a text task may have. */
export const inputImageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
const Picture = exact({ mediaType: oneOf(inputImageTypes), data: T.String({ minLength: 1, maxLength: 1_000_000, description: 'base64' }) })
const InputMessage = exact({
  role: oneOf(['system', 'user', 'assistant']),
  text: Text(PROMPT_MAX, 1),
  images: T.Optional(
    T.Array(Picture, { minItems: 1, maxItems: 16, description: 'for messages of a user, and models that take images; 16 in all messages' }),
  ),
})

/** Inputs of a task, by the kind of output. */
const taskInputs = {
  text: exact({
    type: T.Literal('text'),
    messages: T.Array(InputMessage, { minItems: 1, maxItems: 200, description: 'system messages first' }),
    maxTokens: T.Optional(T.Integer({ minimum: 1, maximum: 200_000, description: '1024 by default' })),
    temperature: T.Optional(T.Number({ minimum: 0, maximum: 2 })),
    output: T.Optional(
      exact(
        { name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }), schema: Schema },
        {
          description:
            'JSON that fits this schema; an answer that does not fit is charged, and the task fails with output_invalid and the answer',
        },
      ),
    ),
  }),
  image: exact({
    type: T.Literal('image'),
    prompt: Text(32_000, 1),
    size: T.Optional(oneOf(sizes)),
    count: T.Optional(T.Integer({ minimum: 1, maximum: 4 })),
    transparent: T.Optional(T.Boolean()),
  }),
  speech: exact({
    type: T.Literal('speech'),
    text: Text(4_096, 1),
    voice: Text(60, 1),
    manner: T.Optional(Text(2_000)),
    format: T.Optional(oneOf(speechFormats)),
    speed: T.Optional(T.Number({ minimum: 0.25, maximum: 4 })),
  }),
}
/** Input of a task. */
export const TaskInput = T.Union([taskInputs.text, taskInputs.image, taskInputs.speech])
/** Type of {@link TaskInput}. */
export type TaskInput = Static<typeof TaskInput>

/** Body that creates a task. */
export const NewTask = named(
  'NewAiTask',
  exact({
    model: T.String({ minLength: 1, maxLength: 300, description: 'an id of GET /v1/ai/models' }),
    input: TaskInput,
    maxCost: T.Optional(AmountGiven('most that it may cost, in the currency of the model')),
    metadata: T.Optional(Metadata),
  }),
)
/** Type of {@link NewTask}. */
export type NewTask = Omit<Static<typeof NewTask>, 'maxCost'> & { readonly maxCost?: string }

const Result = T.Object({
  text: Nullable(T.String()),
  ending: Nullable(T.String({ description: 'reason why the model stopped: stop, length, tools, refused' })),
  files: T.Array(StoredFile),
})

/** Task as webhook events carry it: without input and result. */
export const TaskSummary = named(
  'AiTaskNews',
  T.Object({
    id: Id,
    state: oneOf(taskStates),
    model: T.String(),
    reason: Nullable(oneOf(taskReasons)),
    currency: Currency,
    charged: Nullable(Amount('amount charged')),
    metadata: Metadata,
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  }),
)
/** Type of {@link TaskSummary}. */
export type TaskSummary = Static<typeof TaskSummary>

/** Task without its input and result. */
export const Task = named(
  'AiTask',
  T.Object({
    ...TaskSummary.properties,
    gives: oneOf(gifts),
    message: Nullable(T.String({ description: 'the reason, in words' })),
    maxCost: Nullable(Amount('most that it may cost')),
    hold: Amount('what was held for it'),
    cost: Nullable(Amount('what the other side says that it came to; beyond the limit nobody is charged')),
    usage: Nullable(T.Object({ ...Usage.properties, cost: T.Optional(Amount('what the other side says itself')) })),
    cancelAskedAt: Nullable(Timestamp),
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Task}. */
export type Task = Static<typeof Task>
/** Task with its result. */
export const TaskWithResult = named(
  'WholeAiTask',
  T.Object({ ...Task.properties, result: Nullable(Result, { description: 'deleted with the input 30 days after the end' }) }),
)
/** Type of {@link TaskWithResult}. */
export type TaskWithResult = Static<typeof TaskWithResult>

/** Prepaid balance of a project in one currency. */
export const Balance = named(
  'AiBalance',
  T.Object({ currency: Currency, available: Amount('amount that can be spent'), held: Amount('amount held for unfinished tasks') }),
)
/** Type of {@link Balance}. */
export type Balance = Static<typeof Balance>
/** Body that adds credit to a project. */
export const NewCredit = named(
  'NewAiCredit',
  exact({ amount: AmountGiven('what may be spent more; above zero'), currency: Currency, note: Text(500, 1) }),
)
/** Type of {@link TaskReconciliation}. */
export const TaskReconciliation = named(
  'AiTaskSettlement',
  exact({ charged: AmountGiven('what the project pays, at most what was held or the limit of the task'), note: Text(500, 1) }),
)
/** Type of {@link TaskReconciliation}. */
export type TaskReconciliation = Omit<Static<typeof TaskReconciliation>, 'charged'> & { readonly charged: string }

/** Filters and paging of the list of tasks. */
export const taskList = defineList({
  sorts: null,
  filters: { state: oneOf(taskStates), model: Text(300, 1) },
  extraParameters: { from: T.Optional(Timestamp), to: T.Optional(Timestamp) },
})
/** Parsed query of the list of tasks. */
export type TaskListQuery = ListQuery<(typeof taskList)['filters']>
/** Range of creation times; `to` is excluded. */
export interface CreationPeriod {
  readonly from?: string
  readonly to?: string
}
