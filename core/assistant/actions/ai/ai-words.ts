import type { Context } from '../../../context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { todayIn } from '../../../shop/stores/zone.ts'
import { complete, structured } from '../../models/ask.ts'
import {
  CODE_MAX,
  type CodeWish,
  DatePreset,
  type DateWish,
  type FilterWish,
  filters,
  type SuggestedDates,
  type SuggestedFilter,
  type WrittenCode,
} from './ai.model.ts'
import { messagesOf, withModel } from './ai.ts'

interface Asking {
  readonly signal: AbortSignal
}

const unusable = (what: string) => new ApiError('adapter_refused', `The model answered ${what}. Say it in other words.`)

/** A filter of a list, from what somebody says that he looks for. */
export async function suggestFilter(context: Context, store: Store, wish: FilterWish, options: Asking): Promise<SuggestedFilter> {
  const { list, request, model } = wish
  const filter: Record<string, string | number | boolean> = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    structured(
      context,
      owner,
      usable,
      messagesOf(`Say how the list of ${list} is filtered. Leave out what is not asked for.`, request),
      filters[list],
      {
        ...options,
        name: 'filter',
      },
    ),
  )
  if (Number(filter.minPrice ?? 0) > Number(filter.maxPrice ?? Number.POSITIVE_INFINITY)) throw unusable('a range that holds nothing')
  const query = new URLSearchParams(Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])))
  return { list, filter, query: query.toString() }
}

const DAYS_MAX = 3_660
const dayOf = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000

/** From which day to which, from what somebody calls a time. */
export async function suggestDates(context: Context, store: Store, wish: DateWish, options: Asking): Promise<SuggestedDates> {
  const { request, model } = wish
  const task = `Say from which day to which the request is about, both included, and a short name for it. Today is ${todayIn(store)}.`
  const found = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    structured(context, owner, usable, messagesOf(task, request), DatePreset, { ...options, name: 'dates' }),
  )
  const days = dayOf(found.to) - dayOf(found.from)
  if (!(days >= 0 && days <= DAYS_MAX)) throw unusable('days that make no range')
  return found
}

const FENCE = /```[a-zA-Z]*\r?\n([\s\S]*?)\r?\n?```/

/** A piece of code as text. Nothing of it is run here. */
export async function writeCode(context: Context, store: Store, task: string, wish: CodeWish, options: Asking): Promise<WrittenCode> {
  const { request, model, language = 'html', code } = wish
  const whole = `${task} Write ${language}, and nothing but the code.`
  const answer = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    complete(context, owner, usable, { messages: messagesOf(whole, request, code === undefined ? undefined : { code }) }, options),
  )
  if (answer.reason !== 'stop') throw unusable(answer.reason === 'refused' ? 'that it would not' : 'more than it may')
  const written = FENCE.exec(answer.text)?.[1] ?? answer.text
  if (Buffer.byteLength(written) > CODE_MAX) throw unusable(`more than ${CODE_MAX} bytes`)
  return { language, code: written }
}
