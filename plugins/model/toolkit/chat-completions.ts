import { type AdapterContext, AdapterError, type FailureReason } from '../../adapter.ts'
import { jsonIn, problemOf, unreadable } from '../../toolkit/ask.ts'
import { eventsOf } from '../../toolkit/server-sent-events.ts'
import { isRow, number, present, type Row, rows, text } from '../../toolkit/values.ts'
import type { Completion, Part, Usage } from '../model.ts'
import { brokeOff } from './broke-off.ts'
import { CallPieces } from './call-pieces.ts'
import { chatRequest } from './chat-request.ts'
import { costIn } from './decimals.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { tellTools } from './tell-tools.ts'
import { tolerateTools } from './tolerate-tools.ts'

/** Server with OpenAI's API. `root` is the URL before `/chat/completions`. */
export interface ChatServer {
  readonly label: string
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
}
interface Options {
  readonly limit?: 'max_tokens' | 'max_completion_tokens'
  /** Additional members of the request body. */
  readonly besides?: Row
}

const LONGEST_MS = 300_000

/**
 * Continues a conversation and yields its parts as they come. If the server refuses a tool before the first part, it repeats the request
 * without that tool.
 */
export const completeChat = (context: AdapterContext, server: ChatServer, asked: Completion, options: Options = {}): AsyncGenerator<Part> =>
  tolerateTools(asked, tellTools, (current, told) => attempt(context, server, chatRequest(current, options.limit, told), options))

async function* attempt(context: AdapterContext, server: ChatServer, request: object, { besides }: Options): AsyncGenerator<Part> {
  const { label, root, headers } = server
  const response = await context.fetch(`${root}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ ...request, ...besides }),
    streams: true,
    timeoutMs: LONGEST_MS,
  })
  if (!response.ok) {
    const value = jsonIn(await response.text())
    throw chatProblem(context, label, { status: response.status, headers: response.headers, value })
  }
  const answer = new Answer(label)
  try {
    for await (const { data } of eventsOf(response.body)) {
      yield* answer.receive(data)
      if (answer.isWhole) break
    }
  } catch (error) {
    throw brokeOff(label, error)
  }
  yield* answer.end()
}

/** Maps an error response as `problemOf` does, except for 402 and 403: they mean missing credit or a blocked request, not wrong keys. */
export const chatProblem = (context: AdapterContext, label: string, answer: Parameters<typeof problemOf>[2]): AdapterError => {
  const message = isRow(answer.value) && isRow(answer.value.error) ? text(answer.value.error.message) : undefined
  const code = String(answer.status)
  if (answer.status === 402 || answer.status === 403)
    return new AdapterError('refused', `${label} refused: ${message ?? `status ${code}`}`, { code, ...(message && { message }) })
  return problemOf(context, label, answer, { method: 'POST', said: message })
}

const endings = { stop: 'stop', length: 'length', tool_calls: 'tools', function_call: 'tools', content_filter: 'refused' } as const
const DONE = '[DONE]'

/** State of an answer that is being received. */
class Answer {
  isWhole = false
  #begun = false
  #refused = false
  #ending: string | undefined
  #usage: Usage | undefined
  readonly #calls = new CallPieces()
  readonly #reasoning = new ReasoningDetails()

  constructor(private readonly label: string) {}

  *receive(data: string): Generator<Part> {
    if (data.trim() === DONE) {
      this.isWhole = true
      return
    }
    const chunk = jsonIn(data)
    if (!isRow(chunk)) throw unreadable(this.label, 'a chunk that is not JSON')
    if (isRow(chunk.error)) throw errorInside(this.label, chunk.error)
    const generation = text(chunk.id)
    if (!this.#begun && generation !== undefined) yield { type: 'started', generation }
    this.#begun = true
    if (isRow(chunk.usage)) this.#usage = usageIn(chunk.usage)
    const [choice] = rows(chunk.choices)
    if (!choice) return
    this.#ending = text(choice.finish_reason) ?? this.#ending
    yield* this.#partsOf(isRow(choice.delta) ? choice.delta : {})
  }

  *#partsOf(delta: Row): Generator<Part> {
    const [thought, said] = [text(delta.reasoning) ?? text(delta.reasoning_content), text(delta.content)]
    if (thought !== undefined) yield { type: 'thought', text: thought }
    if (said !== undefined) yield { type: 'text', text: said }
    if (text(delta.refusal) !== undefined) this.#refused = true
    for (const piece of rows(delta.tool_calls)) this.#calls.add(piece)
    for (const detail of rows(delta.reasoning_details)) this.#reasoning.add(detail)
  }

  /** Yields the final parts. Throws if the answer has no end. */
  *end(): Generator<Part> {
    const ending = this.#ending
    if (ending === undefined || !(this.isWhole || this.#usage)) throw brokeOff(this.label)
    if (ending === 'error') throw new AdapterError('unavailable', `${this.label} failed in the middle of its answer.`)
    const calls = this.#calls.whole(this.#reasoning.text())
    for (const call of calls) yield { type: 'toolCall', call }
    if (this.#usage) yield { type: 'usage', usage: this.#usage }
    const said = Object.hasOwn(endings, ending) ? endings[ending as keyof typeof endings] : 'stop'
    yield { type: 'end', reason: this.#refused ? 'refused' : calls.length > 0 && said === 'stop' ? 'tools' : said }
  }
}

const inside: Readonly<Record<string, FailureReason>> = { 400: 'refused', 402: 'refused', 403: 'refused', 429: 'rate_limited' }

function errorInside(label: string, error: Row): AdapterError {
  const message = text(error.message) ?? 'no reason given'
  const code = text(error.code) ?? String(number(error.code) ?? 'error')
  return new AdapterError(inside[code] ?? 'unavailable', `${label} failed: ${message}`, { code, message })
}

/** Reads the usage in OpenAI's format. */
export function usageIn(said: Row): Usage {
  const whole = (value: unknown) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : undefined)
  const [input, output] = [said.prompt_tokens_details, said.completion_tokens_details].map((one) => (isRow(one) ? one : {}))
  return present({
    inputTokens: whole(said.prompt_tokens ?? said.input_tokens),
    cachedInputTokens: whole(input?.cached_tokens),
    outputTokens: whole(said.completion_tokens ?? said.output_tokens),
    reasoningTokens: whole(output?.reasoning_tokens),
    cost: costIn(said.cost),
  })
}
