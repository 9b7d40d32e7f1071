import {
  AdapterError,
  brokeOff,
  type Completion,
  eventsOf,
  isRow,
  jsonIn,
  number,
  type Part,
  problemOf,
  type Row,
  type ToldTools,
  tellTools,
  text,
  tolerateTools,
  type Usage,
  unreadable,
} from 'serai/model'
import { type Context, headersOf, label, ROOT } from './fields.ts'
import { requestOf } from './request.ts'

const LONGEST_MS = 300_000

/** Continues a conversation and streams its parts. Retries without a tool that was refused, if the answer had not begun. */
export const complete = (context: Context, asked: Completion): AsyncGenerator<Part> =>
  tolerateTools(asked, tellTools, (current, told) => attempt(context, current, told))

async function* attempt(context: Context, asked: Completion, told: ToldTools): AsyncGenerator<Part> {
  const response = await context.fetch(`${ROOT}/messages`, {
    method: 'POST',
    headers: headersOf(context),
    body: JSON.stringify(requestOf(context, asked, told)),
    streams: true,
    timeoutMs: LONGEST_MS,
  })
  const { status, headers } = response
  if (!response.ok) throw problemOf(context, label, { status, headers, value: jsonIn(await response.text()) }, { method: 'POST' })
  const answer = new Answer()
  try {
    for await (const { data } of eventsOf(response.body)) {
      yield* answer.hear(jsonIn(data))
      if (answer.isWhole) return
    }
  } catch (error) {
    throw brokeOff(label, error)
  }
  throw brokeOff(label)
}

const endings: ReadonlyMap<string, 'stop' | 'length' | 'tools' | 'refused'> = new Map(
  Object.entries({
    end_turn: 'stop',
    stop_sequence: 'stop',
    pause_turn: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tools',
    refusal: 'refused',
  } as const),
)

const row = (value: unknown): Row => (isRow(value) ? value : {})
const whole = (value: unknown) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : 0)

/** Parses the events of one answer. */
class Answer {
  isWhole = false
  #ending = 'end_turn'
  #usage: Row = {}
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>()

  /** Adds the counts; a missing or null count keeps its value. */
  #count(said: unknown) {
    const counts = Object.entries(row(said)).filter(([, count]) => Number.isInteger(count))
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) }
  }

  *hear(event: unknown): Generator<Part> {
    if (!isRow(event)) throw unreadable(label, 'a piece of an answer that is no JSON')
    if (event.type === 'error') throw failure(row(event.error))
    if (event.type === 'message_start') yield* this.#begin(row(event.message))
    if (event.type === 'content_block_start') yield* this.#block(number(event.index) ?? 0, row(event.content_block))
    if (event.type === 'content_block_delta') yield* this.#say(number(event.index) ?? 0, row(event.delta))
    if (event.type === 'content_block_stop') yield* this.#call(number(event.index) ?? 0)
    if (event.type === 'message_delta') {
      this.#ending = text(row(event.delta).stop_reason) ?? this.#ending
      this.#count(event.usage)
    }
    if (event.type !== 'message_stop') return
    this.isWhole = true
    yield { type: 'usage', usage: usageIn(this.#usage) }
    yield { type: 'end', reason: endings.get(this.#ending) ?? 'stop' }
  }

  *#block(at: number, { type, id, name, text: said }: Row): Generator<Part> {
    if (type === 'text' && text(said) !== undefined) yield { type: 'text', text: String(said) }
    if (type === 'tool_use') this.#calls.set(at, { id: text(id) ?? `call-${at}`, name: text(name) ?? '', arguments: '' })
  }

  *#begin({ id, usage }: Row): Generator<Part> {
    this.#count(usage)
    const generation = text(id)
    if (generation !== undefined) yield { type: 'started', generation }
  }

  *#say(at: number, { type, text: said, thinking, partial_json: piece }: Row): Generator<Part> {
    if (type === 'text_delta' && text(said) !== undefined) yield { type: 'text', text: String(said) }
    if (type === 'thinking_delta' && text(thinking) !== undefined) yield { type: 'thought', text: String(thinking) }
    const call = this.#calls.get(at)
    if (type === 'input_json_delta' && call) call.arguments += text(piece) ?? ''
  }

  *#call(at: number): Generator<Part> {
    const call = this.#calls.get(at)
    // A tool without parameters is called without any argument text.
    if (call) yield { type: 'toolCall', call: { ...call, arguments: call.arguments || '{}' } }
  }
}

/** Returns the usage. Tokens read from and written to the cache are not part of `input_tokens`. */
function usageIn(said: Row): Usage {
  const cached = whole(said.cache_read_input_tokens)
  const inputTokens = whole(said.input_tokens) + cached + whole(said.cache_creation_input_tokens)
  return { inputTokens, outputTokens: whole(said.output_tokens), ...(cached > 0 && { cachedInputTokens: cached }) }
}

const reasons: Readonly<Record<string, 'refused' | 'rate_limited'>> = {
  invalid_request_error: 'refused',
  permission_error: 'refused',
  rate_limit_error: 'rate_limited',
}

function failure(error: Row): AdapterError {
  const [code, message] = [text(error.type) ?? 'error', text(error.message) ?? 'no reason given']
  return new AdapterError(reasons[code] ?? 'unavailable', `${label} failed: ${message}`, { code, message })
}
