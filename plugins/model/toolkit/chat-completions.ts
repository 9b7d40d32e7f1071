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

/** A server that speaks as OpenAI does: `root` is what stands before `/chat/completions`. */
export interface ChatServer {
  readonly label: string
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
}
interface Options {
  readonly limit?: 'max_tokens' | 'max_completion_tokens'
  /** What is asked besides. */
  readonly besides?: Row
}

const LONGEST_MS = 300_000

/** Continues a conversation, part by part as it comes. It is asked again only without a tool that was refused, when nothing had begun. */
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
      yield* answer.hear(data)
      if (answer.isWhole) break
    }
  } catch (error) {
    throw brokeOff(label, error)
  }
  yield* answer.end()
}

/** 402 and 403 are no fault of the keys: there is no money left, or it will not say that. */
export const chatProblem = (context: AdapterContext, label: string, answer: Parameters<typeof problemOf>[2]): AdapterError => {
  const said = isRow(answer.value) && isRow(answer.value.error) ? text(answer.value.error.message) : undefined
  const code = String(answer.status)
  if (answer.status === 402 || answer.status === 403)
    return new AdapterError('refused', `${label} refused: ${said ?? `status ${code}`}`, { code, ...(said && { message: said }) })
  return problemOf(context, label, answer, { method: 'POST', said })
}

const endings = { stop: 'stop', length: 'length', tool_calls: 'tools', function_call: 'tools', content_filter: 'refused' } as const
const DONE = '[DONE]'

/** What was heard of one answer so far. */
class Answer {
  isWhole = false
  #begun = false
  #refused = false
  #ending: string | undefined
  #usage: Usage | undefined
  readonly #calls = new CallPieces()
  readonly #reasoning = new ReasoningDetails()

  constructor(private readonly label: string) {}

  *hear(data: string): Generator<Part> {
    if (data.trim() === DONE) {
      this.isWhole = true
      return
    }
    const chunk = jsonIn(data)
    if (!isRow(chunk)) throw unreadable(this.label, 'a piece of an answer that is no JSON')
    if (isRow(chunk.error)) throw errorInside(this.label, chunk.error)
    const generation = text(chunk.id)
    if (!this.#begun && generation !== undefined) yield { type: 'started', generation }
    this.#begun = true
    if (isRow(chunk.usage)) this.#usage = usageIn(chunk.usage)
    const [choice] = rows(chunk.choices)
    if (!choice) return
    this.#ending = text(choice.finish_reason) ?? this.#ending
    yield* this.#say(isRow(choice.delta) ? choice.delta : {})
  }

  *#say(delta: Row): Generator<Part> {
    const [thought, said] = [text(delta.reasoning) ?? text(delta.reasoning_content), text(delta.content)]
    if (thought !== undefined) yield { type: 'thought', text: thought }
    if (said !== undefined) yield { type: 'text', text: said }
    if (text(delta.refusal) !== undefined) this.#refused = true
    for (const piece of rows(delta.tool_calls)) this.#calls.add(piece)
    for (const detail of rows(delta.reasoning_details)) this.#reasoning.add(detail)
  }

  /** What is told at the end. Throws where there was none. */
  *end(): Generator<Part> {
    const ending = this.#ending
    if (ending === undefined || !(this.isWhole || this.#usage)) throw brokeOff(this.label)
    if (ending === 'error') throw new AdapterError('unavailable', `${this.label} failed in the midst of its answer.`)
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

/** What it took, as such servers count it. */
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
