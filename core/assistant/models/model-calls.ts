import type { Static, TSchema } from '@sinclair/typebox'
import { fit } from '../../../plugins/fit.ts'
import { members } from '../../../plugins/model/members.ts'
import type {
  Completion,
  Drawing,
  Drawn,
  Editing,
  LookedUp,
  Message,
  Model,
  Part,
  Speaking,
  Spoken,
  Usage,
} from '../../../plugins/model/model.ts'
import { Part as PartShape } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { openNamedConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import type { AvailableModel, CompletionResult, ModelConnection, ModelOwner } from './models.model.ts'
import { costOf, countImages } from './price.ts'
import { SurrogateJoiner } from './surrogate-joiner.ts'

/** Deadline of listing the models of a connection. */
const LIST_MS = 20_000
const LOOK_UP_MS = 20_000
/** Longest deadline of one completion, image or speech. */
const LONGEST_MS = 300_000
/** Age at which a cached list of models is read again. */
const FRESH_MS = 5 * 60_000
const LISTS_MAX = 1_000

/** Options of one call of a model. */
export interface ModelCallOptions {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  /** Receives each part of the stream in order; the last one is the ending. */
  readonly onPart?: (part: Part) => void
}

const lists = new Map<string, { readonly until: number; readonly models: Promise<readonly Model[]> }>()

/** Lists the models of a connection, from a cache of 5 minutes. A failed request is not cached. */
export function listConnectionModels(context: Context, connection: ModelConnection): Promise<readonly Model[]> {
  const key = `${connection.row.id} ${connection.row.updatedAt}`
  const known = lists.get(key)
  if (known && known.until > Date.now()) return known.models
  const options = { operation: 'models', deadlineMs: LIST_MS, schema: members.models.output }
  const models = callAdapter(context, connection, (adapter, own) => adapter.models(own), options)
  lists.set(key, { until: Date.now() + FRESH_MS, models })
  evictOldest(lists, LISTS_MAX)
  models.catch(() => lists.delete(key))
  return models
}

/**
 * Requests a completion and streams its parts to `onPart`. Throws an `AdapterFailure` when the answer is incomplete; `onPart` has the parts
 * received until then.
 */
export async function requestCompletion(
  context: Context,
  _owner: ModelOwner,
  { connectionId, model }: AvailableModel,
  asked: Omit<Completion, 'model'>,
  { signal, deadlineMs = LONGEST_MS, onPart = () => {} }: ModelCallOptions = {},
): Promise<CompletionResult> {
  const connection = await openNamedConnection(context, 'model', connectionId)
  const collected = new AnswerCollector()
  await callAdapter(
    context,
    connection,
    async (adapter, own) => {
      for await (const given of adapter.complete(own, { ...asked, model: model.id })) {
        const { part, problem } = await collected.add(given)
        if (!part) throw new AdapterFailure('unavailable', `The adapter sent an invalid part (${problem}).`, { wasSent: true })
        if (part.type === 'leftOut') context.log.warn({ model: model.id, tool: part.tool, reason: part.reason }, 'a tool was left out')
        onPart(part)
      }
      if (!collected.isWhole) throw new AdapterFailure('unavailable', 'The answer broke off.', { wasSent: true })
    },
    { operation: 'complete', deadlineMs, ...(signal && { signal }) },
  )
  const completed = collected.read()
  const cost = costOf(model.prices, completed.usage, countImages(asked.messages))
  return { ...completed, ...(cost !== undefined && { cost }) }
}

/** Collects the parts of an answer, and enforces their order and their total size. */
class AnswerCollector {
  #text = ''
  #bytes = 0
  #count = 0
  #usage: Usage = {}
  #generation: string | undefined
  #reason: CompletionResult['reason'] | undefined
  readonly #toolCalls: CompletionResult['toolCalls'][number][] = []
  readonly #joiner = new SurrogateJoiner()

  get isWhole() {
    return this.#reason !== undefined
  }

  /** Adds a part. Returns it with whole characters, or the problem with it. */
  async add(given: Part): Promise<{ readonly part?: Part; readonly problem?: string }> {
    const fitted = await fit(PartShape, given)
    if ('problem' in fitted) return fitted
    if (this.isWhole) return { problem: 'a part after its end' }
    if (given.type === 'leftOut') return { part: given }
    if (given.type === 'started' && this.#count > 0) return { problem: 'a second beginning' }
    this.#count += 1
    this.#bytes += JSON.stringify(given).length
    if (this.#bytes > members.complete.bytes) return { problem: `more than ${members.complete.bytes} bytes` }
    const part = this.#joiner.join(given)
    if (part.type === 'started') this.#generation = part.generation
    else if (part.type === 'text') this.#text += part.text
    else if (part.type === 'toolCall') this.#toolCalls.push(part.call)
    else if (part.type === 'usage') this.#usage = { ...this.#usage, ...part.usage }
    else if (part.type === 'end') this.#reason = part.reason
    return { part }
  }

  read(): CompletionResult {
    const generation = this.#generation
    return {
      text: this.#text,
      toolCalls: this.#toolCalls,
      reason: this.#reason ?? 'stop',
      usage: this.#usage,
      ...(generation !== undefined && { generation }),
    }
  }
}

type WithCost<V> = V & { readonly cost?: string }

/** Calls a member of the adapter that answers at once, and adds the cost. Throws `refused` when the adapter has no such member. */
async function callMember<V extends { readonly usage: Usage }>(
  context: Context,
  { connectionId, model }: AvailableModel,
  memberName: 'image' | 'editImage' | 'speech',
  asked: object,
  { signal, deadlineMs = LONGEST_MS }: ModelCallOptions,
  viewedImages = 0,
): Promise<WithCost<V>> {
  const connection = await openNamedConnection(context, 'model', connectionId)
  const { label } = connection.mounted.adapter
  const answer = await callAdapter(
    context,
    connection,
    async (adapter, own) => {
      const member = adapter[memberName] as ((own: object, asked: object) => unknown) | undefined
      if (!member) throw new AdapterFailure('refused', `${label} does not support this.`, { wasSent: false })
      return member(own, { ...asked, model: model.id })
    },
    { operation: memberName, deadlineMs, schema: members[memberName].output, ...(signal && { signal }) },
  )
  // Validated by `callAdapter` against the schema of the member.
  const given = answer as V
  const cost = costOf(model.prices, given.usage, viewedImages)
  return { ...given, ...(cost !== undefined && { cost }) }
}

/** Generates images from a prompt. Throws an `AdapterFailure`. */
export const generateImages = (
  context: Context,
  _owner: ModelOwner,
  usable: AvailableModel,
  drawing: Omit<Drawing, 'model'>,
  options: ModelCallOptions = {},
) => callMember<Drawn>(context, usable, 'image', drawing, options)

/** Changes images by a prompt. The input images count in the cost. Throws an `AdapterFailure`. */
export const editImages = (
  context: Context,
  _owner: ModelOwner,
  usable: AvailableModel,
  editing: Omit<Editing, 'model'>,
  options: ModelCallOptions = {},
) => callMember<Drawn>(context, usable, 'editImage', editing, options, editing.images.length)

/** Turns a text into speech. Throws an `AdapterFailure`. */
export const generateSpeech = (
  context: Context,
  _owner: ModelOwner,
  usable: AvailableModel,
  speaking: Omit<Speaking, 'model'>,
  options: ModelCallOptions = {},
) => callMember<Spoken>(context, usable, 'speech', speaking, options)

/** Returns true when the adapter can look up the state of an earlier generation. */
export const canLookUpGeneration = async (context: Context, { connectionId }: Pick<AvailableModel, 'connectionId'>): Promise<boolean> =>
  (await openNamedConnection(context, 'model', connectionId)).mounted.adapter.lookUp !== undefined

/** Looks up the outcome of a generation whose answer was lost. Returns null when the adapter cannot look it up or does not know it. */
export async function lookUpGeneration(
  context: Context,
  _owner: ModelOwner,
  { connectionId }: Pick<AvailableModel, 'connectionId'>,
  generation: string,
  { signal }: Pick<ModelCallOptions, 'signal'> = {},
): Promise<LookedUp> {
  const connection = await openNamedConnection(context, 'model', connectionId)
  const { lookUp: member } = connection.mounted.adapter
  if (!member) return null
  const options = { operation: 'lookUp', deadlineMs: LOOK_UP_MS, schema: members.lookUp.output, ...(signal && { signal }) }
  return callAdapter(context, connection, (_, own) => member(own, generation), options)
}

/**
 * Requests an answer as JSON that fits a schema. Repeats the request once with the problem; throws an `AdapterFailure` with `refused` when
 * the second answer does not fit either.
 */
export async function requestStructuredAnswer<S extends TSchema>(
  context: Context,
  owner: ModelOwner,
  usable: AvailableModel,
  asked: readonly Message[],
  schema: S,
  options: ModelCallOptions & { readonly name?: string; readonly maxTokens?: number } = {},
): Promise<Static<S>> {
  const { name = 'answer', maxTokens } = options
  const output = { name, schema: JSON.parse(JSON.stringify(schema)) as Record<string, unknown> }
  let messages = [...asked]
  for (let tries = 0; ; tries += 1) {
    const { text } = await requestCompletion(
      context,
      owner,
      usable,
      { messages, output, ...(maxTokens !== undefined && { maxTokens }) },
      options,
    )
    const fitted = await fit(schema, parseJsonAnswer(text))
    if ('value' in fitted) return fitted.value as Static<S>
    const problem = `This does not fit the schema: ${fitted.problem}. Answer again, with JSON alone.`
    if (tries === 1)
      throw new AdapterFailure('refused', `The answer of the model does not fit the schema (${fitted.problem}).`, { wasSent: true })
    messages = [...messages, { role: 'assistant', text }, { role: 'user', parts: [{ type: 'text', text: problem }] }]
  }
}

const FENCE = '```'

/**
 * Parses a model's JSON answer, with or without a Markdown fence. Returns undefined for invalid JSON. Ignores the trailing spaces of some
 * models.
 */
export function parseJsonAnswer(text: string): unknown {
  const answer = text.trim().replace(/^```(?:json)?/, '')
  try {
    return JSON.parse((answer.endsWith(FENCE) ? answer.slice(0, -FENCE.length) : answer).trim())
  } catch {
    return undefined
  }
}
