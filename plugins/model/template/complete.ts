import { AdapterError, type Completion, isRow, jsonIn, linesOf, type Part, problemOf, type Row, text } from 'serai/model'
import { type Context, label } from './fields.ts'

const root = 'https://api.example.com/v1'
const LONGEST_MS = 300_000

/** Builds the headers of each call. */
export const headersOf = ({ credentials }: Context) => ({ authorization: `Bearer ${credentials.key}`, 'content-type': 'application/json' })

/** Streams an answer, which comes as lines of JSON. Nothing is requested a second time. */
export async function* complete(context: Context, completion: Completion): AsyncGenerator<Part> {
  const response = await context.fetch(`${root}/complete`, {
    method: 'POST',
    headers: headersOf(context),
    body: JSON.stringify(completion),
    streams: true,
    timeoutMs: LONGEST_MS,
  })
  if (!response.ok) {
    const { status, headers } = response
    throw problemOf(context, label, { status, headers, value: jsonIn(await response.text()) }, { method: 'POST' })
  }
  let isWhole = false
  for await (const line of linesOf(response.body)) {
    const part = partIn(jsonIn(line))
    isWhole = part.type === 'end'
    yield part
  }
  if (!isWhole) throw new AdapterError('unavailable', `${label} broke off.`)
}

const endings = { done: 'stop', too_long: 'length', tools: 'tools', not_allowed: 'refused' } as const

function partIn(said: unknown): Part {
  if (!isRow(said) || said.error !== undefined)
    throw new AdapterError('unavailable', `${label} failed: ${text(isRow(said) && said.error) ?? '?'}`)
  if (said.id !== undefined) return { type: 'started', generation: String(said.id) }
  if (said.text !== undefined) return { type: 'text', text: String(said.text) }
  if (isRow(said.call)) return { type: 'toolCall', call: callIn(said.call) }
  if (isRow(said.used)) return { type: 'usage', usage: { inputTokens: Number(said.used.in), outputTokens: Number(said.used.out) } }
  return { type: 'end', reason: endings[said.end as keyof typeof endings] ?? 'stop' }
}

const callIn = ({ id, name, input, mark }: Row) => ({
  id: String(id),
  name: String(name),
  arguments: String(input),
  ...(mark !== undefined && { carry: String(mark) }), // the provider wants its marks back
})
