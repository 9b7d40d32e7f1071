import { AdapterError, type Completion, type Message, type Part, type Tool, type ToolCall } from 'serai/model'
import { label, type Sandbox } from './fields.ts'
import { fill, sourceOf } from './fill.ts'
import { deleteGeneration, storeGeneration } from './lost.ts'
import { pause } from './pause.ts'

const LETTERS_A_TOKEN = 4
const PAUSE_MAX_MS = 1_000
const QUOTED_MAX = 2_000

/** Estimates tokens, roughly as other models count them. */
const tokensIn = (text: string) => Math.ceil(text.length / LETTERS_A_TOKEN)

const wordsOf = (message: Message): string =>
  message.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ') : message.text

export const inputTokens = ({ messages, tools = [] }: Pick<Completion, 'messages' | 'tools'>) =>
  messages.reduce((sum, message) => sum + tokensIn(wordsOf(message)), 0) + tokensIn(tools.length > 0 ? JSON.stringify(tools) : '')

/** Text of the last user message. */
const requestIn = (messages: readonly Message[]) =>
  wordsOf(messages.findLast(({ role }) => role === 'user') ?? { role: 'system', text: '' })

/** Streams an answer word by word; equal requests get equal answers. The README lists prefixes that trigger failures. */
export async function* complete(context: Sandbox, completion: Completion): AsyncGenerator<Part> {
  const request = requestIn(completion.messages)
  if (request.startsWith('FAIL ')) throw new AdapterError('refused', `${label}: ${request.slice(5)}`, { code: 'fail' })
  const generation = `gen-${crypto.randomUUID()}`
  yield { type: 'started', generation }
  if (request.startsWith('HANG ')) await pause(context)
  const used = inputTokens(completion)
  if (request.startsWith('REFUSE ')) {
    yield { type: 'usage', usage: { inputTokens: used, outputTokens: 0 } }
    return yield { type: 'end', reason: 'refused' }
  }
  const call = toolFor(completion, request)
  const text = call ? '' : answerTo(completion, request)
  const most = completion.maxTokens ?? Number.POSITIVE_INFINITY
  const isLong = tokensIn(text) > most
  const said = isLong ? text.slice(0, most * LETTERS_A_TOKEN) : text
  const usage = { inputTokens: used, outputTokens: tokensIn(call ? call.arguments : said) }
  await storeGeneration(context, generation, usage)
  yield* streamWords(context, said, request)
  if (call) yield { type: 'toolCall', call }
  await deleteGeneration(context, generation)
  yield { type: 'usage', usage }
  yield { type: 'end', reason: call ? 'tools' : isLong ? 'length' : 'stop' }
}

async function* streamWords(context: Sandbox, text: string, request: string): AsyncGenerator<Part> {
  const pieces = text.match(/\S+\s*|\s+/g) ?? []
  const cutAt = request.startsWith('CUT ') ? Math.ceil(pieces.length / 2) : pieces.length
  const ms = Math.min(context.settings.pauseMs ?? 0, PAUSE_MAX_MS)
  for (const [at, piece] of pieces.entries()) {
    if (at === cutAt) throw new AdapterError('unavailable', `${label} broke off.`)
    if (ms > 0) await pause(context, ms)
    yield { type: 'text', text: piece }
  }
}

function answerTo({ messages, output }: Completion, request: string): string {
  if (output) return JSON.stringify(fill(output.schema, sourceOf(request)))
  const last = messages.at(-1)
  if (last?.role === 'tool') return `${last.failed ? 'That did not work' : 'This is what I found'}: ${last.text.slice(0, QUOTED_MAX)}`
  return `You said: ${request.slice(0, QUOTED_MAX)}`
}

/**
 * Chooses the tool: `call <tool> {…}` names one, else the tool whose name matches most of the request. None directly after a tool result.
 */
function toolFor({ messages, tools = [], toolChoice = 'auto' }: Completion, request: string): ToolCall | undefined {
  if (toolChoice === 'none' || tools.length === 0 || messages.at(-1)?.role === 'tool') return undefined
  const [, named, given] = /\bcall ([a-zA-Z0-9_-]{1,64})\s*(\{[\s\S]*\})?/.exec(request) ?? []
  const words = request.toLowerCase()
  const meant = tools.find(({ name }) => name === named) ?? bestOf(tools, words) ?? (toolChoice === 'required' ? tools[0] : undefined)
  if (!meant) return undefined
  const values = named === meant.name && given !== undefined ? given : JSON.stringify(fill(meant.parameters, sourceOf(request)))
  return { id: `call-${messages.length}`, name: meant.name, arguments: values }
}

function bestOf(tools: readonly Tool[], request: string): Tool | undefined {
  const scored = tools.map((tool) => {
    const parts = tool.name.toLowerCase().split(/[_-]/)
    return { tool, score: parts.filter((part) => part.length > 2 && request.includes(part.replace(/s$/, ''))).length / parts.length }
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score >= 0.5 ? best.tool : undefined
}
