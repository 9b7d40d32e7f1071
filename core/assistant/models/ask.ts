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
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import { connectionById } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { Letters } from './letters.ts'
import type { Completed, ModelConnection, ModelOwner, Usable } from './models.model.ts'
import { costOf, picturesIn } from './price.ts'

const LIST_MS = 20_000
const LOOK_UP_MS = 20_000
/** Writing, drawing and speaking take as long as they take; nobody waits longer. */
const LONGEST_MS = 300_000
const FRESH_MS = 5 * 60_000
const LISTS_MAX = 1_000

export interface Asking {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  /** Takes each part as it comes; the ending last. */
  readonly onPart?: (part: Part) => void
}

const lists = new Map<string, { readonly until: number; readonly models: Promise<readonly Model[]> }>()

/** The models of a connection, as they were told some minutes ago at most. What failed is asked again at once. */
export function readModels(context: Context, connection: ModelConnection): Promise<readonly Model[]> {
  const key = `${connection.row.id} ${connection.row.updatedAt}`
  const known = lists.get(key)
  if (known && known.until > Date.now()) return known.models
  const options = { operation: 'models', deadlineMs: LIST_MS, schema: members.models.answers }
  const models = callAdapter(context, connection, (adapter, own) => adapter.models(own), options)
  lists.set(key, { until: Date.now() + FRESH_MS, models })
  evictOldest(lists, LISTS_MAX)
  models.catch(() => lists.delete(key))
  return models
}

/** Asks a model to go on. Throws an `AdapterFailure` where no whole answer came: what had come by then was given to `onPart`. */
export async function complete(
  context: Context,
  _owner: ModelOwner,
  { connectionId, model }: Usable,
  asked: Omit<Completion, 'model'>,
  { signal, deadlineMs = LONGEST_MS, onPart = () => {} }: Asking = {},
): Promise<Completed> {
  const connection = await connectionById(context, 'model', connectionId)
  const gathered = new Gathered()
  await callAdapter(
    context,
    connection,
    async (adapter, own) => {
      for await (const given of adapter.complete(own, { ...asked, model: model.id })) {
        const { part, problem } = await gathered.take(given)
        if (!part) throw new AdapterFailure('unavailable', true, `The adapter answered in a wrong shape (${problem}).`)
        if (part.type === 'leftOut') context.log.warn({ model: model.id, tool: part.tool, reason: part.reason }, 'a tool was left out')
        onPart(part)
      }
      if (!gathered.isWhole) throw new AdapterFailure('unavailable', true, 'The answer broke off.')
    },
    { operation: 'complete', deadlineMs, ...(signal && { signal }) },
  )
  const completed = gathered.read()
  const cost = costOf(model.prices, completed.usage, picturesIn(asked.messages))
  return { ...completed, ...(cost !== undefined && { cost }) }
}

/** The parts of an answer, held to their order and to what all of them may come to. */
class Gathered {
  #text = ''
  #bytes = 0
  #count = 0
  #usage: Usage = {}
  #generation: string | undefined
  #reason: Completed['reason'] | undefined
  readonly #toolCalls: Completed['toolCalls'][number][] = []
  readonly #letters = new Letters()

  get isWhole() {
    return this.#reason !== undefined
  }

  /** The part as it is taken, or what is wrong with it. */
  async take(given: Part): Promise<{ readonly part?: Part; readonly problem?: string }> {
    const fitted = await fit(PartShape, given)
    if ('problem' in fitted) return fitted
    if (this.isWhole) return { problem: 'a part after its end' }
    if (given.type === 'leftOut') return { part: given }
    if (given.type === 'started' && this.#count > 0) return { problem: 'it began in the midst' }
    this.#count += 1
    this.#bytes += JSON.stringify(given).length
    if (this.#bytes > members.complete.bytes) return { problem: `more than ${members.complete.bytes} bytes` }
    const part = this.#letters.whole(given)
    if (part.type === 'started') this.#generation = part.generation
    else if (part.type === 'text') this.#text += part.text
    else if (part.type === 'toolCall') this.#toolCalls.push(part.call)
    else if (part.type === 'usage') this.#usage = { ...this.#usage, ...part.usage }
    else if (part.type === 'end') this.#reason = part.reason
    return { part }
  }

  read(): Completed {
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

type Costing<V> = V & { readonly cost?: string }

async function made<V extends { readonly usage: Usage }>(
  context: Context,
  { connectionId, model }: Usable,
  what: 'image' | 'editImage' | 'speech',
  asked: object,
  { signal, deadlineMs = LONGEST_MS }: Asking,
  shown = 0,
): Promise<Costing<V>> {
  const connection = await connectionById(context, 'model', connectionId)
  const { label } = connection.mounted.adapter
  const answer = await callAdapter(
    context,
    connection,
    async (adapter, own) => {
      const member = adapter[what] as ((own: object, asked: object) => unknown) | undefined
      if (!member) throw new AdapterFailure('refused', false, `${label} has nothing that does this.`)
      return member(own, { ...asked, model: model.id })
    },
    { operation: what, deadlineMs, schema: members[what].answers, ...(signal && { signal }) },
  )
  // It was held to the schema of the member.
  const given = answer as V
  const cost = costOf(model.prices, given.usage, shown)
  return { ...given, ...(cost !== undefined && { cost }) }
}

/** Draws. Throws as `complete` does. */
export const draw = (context: Context, _owner: ModelOwner, usable: Usable, drawing: Omit<Drawing, 'model'>, options: Asking = {}) =>
  made<Drawn>(context, usable, 'image', drawing, options)

/** Changes a picture. Throws as `complete` does. */
export const editPicture = (context: Context, _owner: ModelOwner, usable: Usable, editing: Omit<Editing, 'model'>, options: Asking = {}) =>
  made<Drawn>(context, usable, 'editImage', editing, options, editing.images.length)

/** Speaks. Throws as `complete` does. */
export const speak = (context: Context, _owner: ModelOwner, usable: Usable, speaking: Omit<Speaking, 'model'>, options: Asking = {}) =>
  made<Spoken>(context, usable, 'speech', speaking, options)

/** Whether its source can be asked what became of a generation. */
export const canLookUp = async (context: Context, { connectionId }: Pick<Usable, 'connectionId'>): Promise<boolean> =>
  (await connectionById(context, 'model', connectionId)).mounted.adapter.lookUp !== undefined

/** What became of a generation whose end never came; null where that cannot be found out. */
export async function lookUp(
  context: Context,
  _owner: ModelOwner,
  { connectionId }: Pick<Usable, 'connectionId'>,
  generation: string,
  { signal }: Pick<Asking, 'signal'> = {},
): Promise<LookedUp> {
  const connection = await connectionById(context, 'model', connectionId)
  const { lookUp: member } = connection.mounted.adapter
  if (!member) return null
  const options = { operation: 'lookUp', deadlineMs: LOOK_UP_MS, schema: members.lookUp.answers, ...(signal && { signal }) }
  return callAdapter(context, connection, (_, own) => member(own, generation), options)
}

/** An answer that fits a schema. Asked once more with what was wrong; throws `refused` where it still does not fit. */
export async function structured<S extends TSchema>(
  context: Context,
  owner: ModelOwner,
  usable: Usable,
  asked: readonly Message[],
  schema: S,
  options: Asking & { readonly name?: string; readonly maxTokens?: number } = {},
): Promise<Static<S>> {
  const { name = 'answer', maxTokens } = options
  const output = { name, schema: JSON.parse(JSON.stringify(schema)) as Record<string, unknown> }
  let messages = [...asked]
  for (let tries = 0; ; tries += 1) {
    const { text } = await complete(context, owner, usable, { messages, output, ...(maxTokens !== undefined && { maxTokens }) }, options)
    const fitted = await fit(schema, jsonOf(text))
    if ('value' in fitted) return fitted.value as Static<S>
    const problem = `This does not fit the schema: ${fitted.problem}. Answer again, with JSON alone.`
    if (tries === 1) throw new AdapterFailure('refused', true, `The model did not answer as it was asked to (${fitted.problem}).`)
    messages = [...messages, { role: 'assistant', text }, { role: 'user', parts: [{ type: 'text', text: problem }] }]
  }
}

const FENCE = '```'

/** What a model wrote as JSON, fenced or not; undefined where it is none. Some go on with spaces for as long as they may. */
export function jsonOf(text: string): unknown {
  const said = text.trim().replace(/^```(?:json)?/, '')
  try {
    return JSON.parse((said.endsWith(FENCE) ? said.slice(0, -FENCE.length) : said).trim())
  } catch {
    return undefined
  }
}
