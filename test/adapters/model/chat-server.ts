import type { SeenCall } from '../../../plugins/acceptance/calls.ts'
import type { Fault, Heard, Said, Script } from '../../../plugins/model/acceptance.ts'
import { openAiRefusal } from './schema-refusals.ts'
import { torn } from './torn.ts'

type Json = Readonly<Record<string, unknown>>
export interface Side {
  readonly root: string
  readonly key: string
  /** Its own answers, beside the conversation. */
  answer(path: string, url: URL, body: string, request: Request): Response | undefined | Promise<Response | undefined>
  /** How it counts. */
  usage(tokens: { readonly prompt_tokens: number; readonly completion_tokens: number }, generation: string): Json
  /** What goes wrong with this one, where it is not the same for all. It waits for the answer. */
  decide?(asked: Json, generation: string): Promise<Fault | undefined>
  /** How long it thinks in the midst of an answer. */
  readonly thinksMs?: number
  /** What it says while it has nothing to say. */
  readonly comment?: string
  /** All parallel calls have the index 0, and are told apart by their ids. */
  readonly sameIndex?: true
}

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ends = { stop: 'stop', length: 'length', tools: 'tool_calls', refused: 'content_filter' } as const
const PIECES_BEFORE_FAULT = 2

export const picture = (body: Json) =>
  Response.json({
    created: 1,
    data: Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: DOT })),
    usage: { input_tokens: 9, output_tokens: 90 },
  })
export const sound = () => new Response(new Uint8Array(300).fill(7), { headers: { 'content-type': 'audio/mpeg' } })
export const problem = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, type: 'error', param: null, code: status } }, { status, headers })

interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[]
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
  readonly tool_call_id?: string
  readonly reasoning_details?: readonly { readonly data?: string }[]
}

/** What a call of its completions asks for. */
export function heardOf({ body }: SeenCall): Heard {
  const { model, messages, tools = [], response_format: format, ...asked } = JSON.parse(body)
  const turns = messages as readonly Turn[]
  const names = new Map(turns.flatMap(({ tool_calls: made = [] }) => made.map(({ id, function: { name } }) => [id, name] as const)))
  const system = turns.filter(({ role }) => role === 'system').map(({ content }) => String(content))
  return {
    model,
    system: system.join('\n'),
    said: turns.flatMap((turn) => saidIn(turn, names)),
    tools: (tools as { function: Heard['tools'][number] }[]).map(({ function: tool }) => tool),
    schema: format?.json_schema?.schema,
    maxTokens: asked.max_completion_tokens ?? asked.max_tokens,
  }
}

function saidIn(
  { role, content, tool_calls: made = [], tool_call_id: id = '', reasoning_details: details }: Turn,
  names: ReadonlyMap<string, string>,
): Said[] {
  if (role === 'system') return []
  if (role === 'tool') return [{ by: 'tool', answers: names.get(id) ?? '', text: String(content) }]
  const carry = details?.[0]?.data
  const calls = made.map(
    ({ function: { name, arguments: given } }, at): Said => ({
      by: 'assistant',
      calls: name,
      given: JSON.parse(given),
      ...(at === 0 && carry !== undefined && { carry }),
    }),
  )
  if (!Array.isArray(content)) return [...(content ? [{ by: role, text: String(content) }] : []), ...calls]
  return (content as Exclude<Turn['content'], string | null>).map(({ text = '', image_url: image }) =>
    image ? { by: 'user', picture: image.url.replace(/^data:/, '').replace(';base64,', ' ') } : { by: role, text },
  )
}

/** A server that is asked as OpenAI is, with its traps: torn bytes, comments, calls in pieces told apart by an index, errors inside a 200. */
export function startChatServer(side: Side) {
  const calls: SeenCall[] = []
  const state = {
    script: {} as Script,
    fault: undefined as Fault | undefined,
    left: 0,
    generations: 0,
    refused: undefined as string | undefined,
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const body = await request.clone().text()
    const headers = Object.fromEntries(request.headers)
    calls.push({ at: Date.now(), method: request.method, path: url.pathname, query: url.search.slice(1), headers, body })
    if (headers.authorization !== `Bearer ${side.key}`) return problem(401, 'Incorrect API key provided')
    const path = url.pathname.replace(side.root, '')
    if (path !== '/chat/completions') return (await side.answer(path, url, body, request)) ?? problem(404, 'Unknown path')
    const asked = JSON.parse(body) as Json
    const tools = (asked.tools ?? []) as { function: { name: string } }[]
    const refusal =
      openAiRefusal(tools) ??
      (tools.some(({ function: { name } }) => name === state.refused) ? `Invalid schema for function '${state.refused}': odd.` : undefined)
    if (refusal !== undefined) return problem(400, refusal)
    state.generations += 1
    const generation = `gen-${state.generations}`
    const fault = (await side.decide?.(asked, generation)) ?? state.fault
    if (fault === 'rate_limited') return problem(429, 'Rate limit reached', { 'retry-after': '2' })
    if (fault === 'error_before') return problem(500, 'The server had an error')
    request.signal.addEventListener('abort', () => {
      state.left += 1
    })
    return new Response(torn(answered(asked, generation, fault), { hangs: fault === 'hang' }, side.thinksMs), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }

  function* answered(asked: Json, generation: string, fault: Fault | undefined): Generator<string> {
    const { pieces = [], toolCalls = [], ending = 'stop', usage } = state.script
    const about = { id: generation, object: 'chat.completion.chunk', created: 1, model: asked.model }
    const chunk = (delta: Json, finish: string | null = null) =>
      said({ ...about, choices: [{ index: 0, delta, finish_reason: finish }], usage: null })
    yield `: ${side.comment ?? 'ping'}\n\n`
    yield chunk({ role: 'assistant', content: '' })
    for (const [at, content] of pieces.entries()) {
      if (at === PIECES_BEFORE_FAULT && fault === 'error_inside') yield said({ error: { message: 'Provider returned error', code: 502 } })
      if (at === PIECES_BEFORE_FAULT && fault !== undefined) return
      yield chunk({ content })
    }
    const carry = toolCalls[0]?.carry
    for (const data of carry === undefined ? [] : [carry.slice(0, 9), carry.slice(9)])
      yield chunk({ reasoning_details: [{ type: 'reasoning.encrypted', id: 'rs_1', format: 'unknown', index: 0, data }] })
    const place = (at: number, id: string) => (side.sameIndex ? { index: 0, id } : { index: at })
    // The arguments of several calls, in turns.
    yield* toolCalls.map(({ id, name }, at) =>
      chunk({ tool_calls: [{ ...place(at, id), id, type: 'function', function: { name, arguments: '' } }] }),
    )
    for (const half of [0, 1])
      for (const [at, { id, arguments: given }] of toolCalls.entries()) {
        const middle = Math.floor(given.length / 2)
        yield chunk({
          tool_calls: [{ ...place(at, id), function: { arguments: half === 0 ? given.slice(0, middle) : given.slice(middle) } }],
        })
      }
    if (ending === 'refused') yield chunk({ refusal: 'I cannot help with that.' })
    yield chunk({}, ending === 'refused' ? 'stop' : ends[ending])
    const asksUsage = (asked.stream_options as Json | undefined)?.include_usage === true
    const tokens = { prompt_tokens: usage?.inputTokens ?? 10, completion_tokens: usage?.outputTokens ?? 5 }
    if (asksUsage) yield said({ ...about, choices: [], usage: side.usage(tokens, generation) })
    yield 'data: [DONE]\n\n'
  }

  return {
    url: server.url.origin,
    calls,
    state,
    say: (script: Script) => void Object.assign(state, { script }),
    refuse: (refused: string | undefined) => void Object.assign(state, { refused }),
    fail: (fault: Fault) => void Object.assign(state, { fault }),
    calm: () => void Object.assign(state, { fault: undefined }),
    stop: () => server.stop(true),
  }
}

const said = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
