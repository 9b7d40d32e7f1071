import {
  AdapterError,
  brokeOff,
  type Completion,
  eventsOf,
  isRow,
  jsonIn,
  number,
  type Part,
  present,
  type Row,
  rows,
  type ToldTools,
  tellTools,
  text,
  tolerateTools,
  type Usage,
  unreadable,
} from 'serai/model'
import { type Context, headersOf, label, rootOf } from './fields.ts'
import { problemOf } from './problem.ts'
import { requestOf } from './request.ts'

const LONGEST_MS = 300_000

/** Continues a conversation and streams its parts. Retries without a tool that was refused, if the answer had not begun. */
export const complete = (context: Context, asked: Completion): AsyncGenerator<Part> =>
  tolerateTools(asked, tellTools, (current, told) => attempt(context, current, told))

async function* attempt(context: Context, asked: Completion, told: ToldTools): AsyncGenerator<Part> {
  const response = await context.fetch(`${rootOf(context)}/models/${encodeURIComponent(asked.model)}:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: headersOf(context),
    body: JSON.stringify(requestOf(asked, told)),
    streams: true,
    timeoutMs: LONGEST_MS,
  })
  const { status, headers } = response
  if (!response.ok) throw problemOf(context, { status, headers, value: jsonIn(await response.text()) }, 'POST')
  const answer = new Answer()
  try {
    for await (const { data } of eventsOf(response.body)) yield* answer.hear(jsonIn(data))
  } catch (error) {
    throw brokeOff(label, error)
  }
  yield* answer.end()
}

const endings: ReadonlyMap<string, 'stop' | 'length' | 'refused'> = new Map(
  Object.entries({
    STOP: 'stop',
    MAX_TOKENS: 'length',
    SAFETY: 'refused',
    RECITATION: 'refused',
    BLOCKLIST: 'refused',
    PROHIBITED_CONTENT: 'refused',
    SPII: 'refused',
    IMAGE_SAFETY: 'refused',
    LANGUAGE: 'refused',
  } as const),
)
const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Parses the events of one answer. */
class Answer {
  #begun = false
  #ending: 'stop' | 'length' | 'refused' | undefined
  #usage: Row | undefined
  #generation = 'call'
  #calls = 0

  #note(said: Row, candidate: Row | undefined) {
    if (isRow(said.usageMetadata)) this.#usage = { ...this.#usage, ...said.usageMetadata }
    // A blocked prompt is answered with 200, and without a candidate.
    if (text(row(said.promptFeedback).blockReason) !== undefined) this.#ending = 'refused'
    const finish = text(candidate?.finishReason)
    if (finish !== undefined) this.#ending = endings.get(finish)
    if (finish !== undefined && this.#ending === undefined)
      throw new AdapterError('unavailable', `${label} broke off: ${finish}.`, { code: finish })
  }

  *hear(said: unknown): Generator<Part> {
    if (!isRow(said)) throw unreadable(label, 'a piece of an answer that is no JSON')
    if (isRow(said.error)) throw failure(said.error)
    const generation = text(said.responseId)
    if (!this.#begun && generation !== undefined) yield { type: 'started', generation }
    this.#begun = true
    this.#generation = generation ?? this.#generation
    const [candidate] = rows(said.candidates)
    this.#note(said, candidate)
    if (!candidate) return
    for (const piece of rows(row(candidate.content).parts)) yield* this.#say(piece)
  }

  *#say({ text: said, thought, functionCall: call, thoughtSignature }: Row): Generator<Part> {
    if (text(said) !== undefined) yield { type: thought === true ? 'thought' : 'text', text: String(said) }
    if (!isRow(call)) return
    this.#calls += 1
    const [name, carry] = [text(call.name) ?? '', text(thoughtSignature)]
    yield {
      type: 'toolCall',
      call: {
        id: text(call.id) ?? `${this.#generation}-${this.#calls}`,
        name,
        arguments: JSON.stringify(call.args ?? {}),
        ...(carry !== undefined && { carry }),
      },
    }
  }

  /** Yields the last part; throws when the answer has no end. */
  *end(): Generator<Part> {
    if (this.#ending === undefined) throw brokeOff(label)
    if (this.#usage) yield { type: 'usage', usage: usageIn(this.#usage) }
    yield { type: 'end', reason: this.#calls > 0 && this.#ending === 'stop' ? 'tools' : this.#ending }
  }
}

/** Returns the usage. Thinking tokens count as output. */
function usageIn(said: Row): Usage {
  const [input, output, thoughts, cached] = [
    said.promptTokenCount,
    said.candidatesTokenCount,
    said.thoughtsTokenCount,
    said.cachedContentTokenCount,
  ].map((count) => (Number.isInteger(count) && Number(count) >= 0 ? Number(count) : undefined))
  return present({
    inputTokens: input,
    outputTokens: output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0),
    reasoningTokens: thoughts,
    cachedInputTokens: cached,
  })
}

function failure(error: Row): AdapterError {
  const [code, message] = [number(error.code) ?? 500, text(error.message) ?? 'no reason given']
  const reason = code === 429 ? 'rate_limited' : code >= 400 && code < 500 ? 'refused' : 'unavailable'
  return new AdapterError(reason, `${label} failed: ${message}`, { code: String(code), message })
}
