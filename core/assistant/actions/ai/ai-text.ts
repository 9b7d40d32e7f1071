import type { Context } from '../../../context.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { todayInStore } from '../../../shop/stores/time-zone.ts'
import { requestCompletion, requestStructuredAnswer } from '../../models/model-calls.ts'
import { actionErrors } from '../actions.errors.ts'
import {
  CODE_MAX,
  type CodeRequest,
  DatePreset,
  type DatesRequest,
  type FilterRequest,
  filterSchemas,
  type GeneratedCode,
  type SuggestedDates,
  type SuggestedFilter,
} from './ai.model.ts'
import { buildMessages, withModel } from './ai.ts'

interface AnswerOptions {
  readonly signal: AbortSignal
}

const unusable = (what: string) => actionErrors.otherAnswer({ what })

/** Translates a request in plain words to a filter of a list. Throws `adapter_refused` for an empty price range. */
export async function suggestFilter(
  context: Context,
  store: Store,
  input: FilterRequest,
  options: AnswerOptions,
): Promise<SuggestedFilter> {
  const { list, request, model } = input
  const filter: Record<string, string | number | boolean> = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestStructuredAnswer(
      context,
      owner,
      usable,
      buildMessages(`Say how the list of ${list} is filtered. Leave out what is not asked for.`, request),
      filterSchemas[list],
      {
        ...options,
        name: 'filter',
      },
    ),
  )
  if (Number(filter.minPrice ?? 0) > Number(filter.maxPrice ?? Number.POSITIVE_INFINITY)) throw unusable('an empty range')
  const query = new URLSearchParams(Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])))
  return { list, filter, query: query.toString() }
}

const DAYS_MAX = 3_660
const dayOf = (text: string) => Date.parse(`${text}T00:00:00Z`) / DAY_MS

/** Translates a period in plain words to a range of days. Throws `adapter_refused` for an invalid range. */
export async function suggestDates(context: Context, store: Store, input: DatesRequest, options: AnswerOptions): Promise<SuggestedDates> {
  const { request, model } = input
  const task = `Say from which day to which the request is about, both included, and a short name for it. Today is ${todayInStore(store)}.`
  const found = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestStructuredAnswer(context, owner, usable, buildMessages(task, request), DatePreset, { ...options, name: 'dates' }),
  )
  const days = dayOf(found.to) - dayOf(found.from)
  if (!(days >= 0 && days <= DAYS_MAX)) throw unusable('an invalid range of days')
  return found
}

const FENCE = /```[a-zA-Z]*\r?\n([\s\S]*?)\r?\n?```/

/** Generates code as text, which is never run here. Throws `adapter_refused` for an incomplete or too long answer. */
export async function generateCode(
  context: Context,
  store: Store,
  task: string,
  input: CodeRequest,
  options: AnswerOptions,
): Promise<GeneratedCode> {
  const { request, model, language = 'html', code } = input
  const fullTask = `${task} Write ${language}, and nothing but the code.`
  const answer = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestCompletion(
      context,
      owner,
      usable,
      { messages: buildMessages(fullTask, request, code === undefined ? undefined : { code }) },
      options,
    ),
  )
  if (answer.reason !== 'stop') throw unusable(answer.reason === 'refused' ? 'with a refusal' : 'more than its limit')
  const written = FENCE.exec(answer.text)?.[1] ?? answer.text
  if (Buffer.byteLength(written) > CODE_MAX) throw unusable(`more than ${CODE_MAX} bytes`)
  return { language, code: written }
}
