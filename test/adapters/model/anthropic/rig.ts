import type { SeenCall } from '../../../../plugins/acceptance/calls.ts'
import { type Fault, type Heard, openDesk, type Rig, type Said, type Script } from '../../../../plugins/model/acceptance.ts'
import type { ModelAdapter } from '../../../../plugins/model/index.ts'
import { anthropicRefusal } from '../schema-refusals.ts'
import { torn } from '../torn.ts'

type Json = Readonly<Record<string, unknown>>
const KEY = 'sk-ant-0123456789abcdef'
const COLD = '2026-10-21'
const ends = { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use', refused: 'refusal' } as const
const PIECES_BEFORE_FAULT = 2
/** What the end does not count again. */
const emptied = { input_tokens: null, cache_read_input_tokens: null, cache_creation_input_tokens: null }
const said = (type: string, more: Json = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const problem = (status: number, type: string, headers: Record<string, string> = {}) =>
  Response.json({ type: 'error', error: { type, message: type }, request_id: 'req_1' }, { status, headers })

/** What it will not take: turns of one side after another, no length, temperatures in the newer version, answers of tools that nobody called. */
function complaint(asked: Json, version: string): string | undefined {
  const turns = (asked.messages ?? []) as { role: string; content: Json[] }[]
  const refusal = anthropicRefusal(asked.tools as [])
  if (refusal !== undefined) return refusal
  if (typeof asked.max_tokens !== 'number') return 'max_tokens: Field required'
  if (version === COLD && 'temperature' in asked) return 'temperature: not supported'
  if (turns[0]?.role !== 'user' || turns.some(({ role }, at) => role === turns[at - 1]?.role)) return 'messages: roles must alternate'
  const called = new Set(turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)))
  const answers = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
  return answers.every(({ tool_use_id: id }) => called.has(id)) ? undefined : 'tool_result: unexpected tool_use_id'
}

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly text?: string
  readonly source?: { readonly media_type: string; readonly data: string }
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly content?: string
}

function heard({ body }: SeenCall): Heard {
  const { model, system = '', messages, tools = [], output_config: output, max_tokens: maxTokens } = JSON.parse(body)
  const turns = messages as { role: 'user' | 'assistant'; content: Block[] }[]
  const names = new Map(turns.flatMap(({ content }) => content.map(({ id, name = '' }) => [id, name] as const)))
  const saidIn = (by: 'user' | 'assistant', { type, text = '', source, name = '', input, tool_use_id: id, content = '' }: Block): Said => {
    if (type === 'image') return { by: 'user', picture: `${source?.media_type} ${source?.data}` }
    if (type === 'tool_use') return { by: 'assistant', calls: name, given: input }
    return type === 'tool_result' ? { by: 'tool', answers: names.get(id) ?? '', text: content } : { by, text }
  }
  return {
    model,
    system,
    said: turns.flatMap(({ role, content }) => content.map((block) => saidIn(role, block))),
    tools: (tools as Json[]).map(({ name, description, input_schema: parameters }) => ({
      name: String(name),
      description: String(description),
      parameters,
    })),
    schema: output?.format?.schema,
    maxTokens,
  }
}

/** The other side as its documents have it: named events, pings, calls in pieces, errors inside a 200. */
export function startAnthropic() {
  const calls: SeenCall[] = []
  const state = { script: {} as Script, fault: undefined as Fault | undefined, left: 0, refused: undefined as string | undefined }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    calls.push({ at: Date.now(), method: request.method, path, query: search.slice(1), headers, body })
    if (headers['x-api-key'] !== KEY && headers.authorization !== `Bearer ${KEY}`) return problem(401, 'authentication_error')
    if (path === '/v1/models')
      return Response.json({ data: [{ type: 'model', id: 'claude-small', display_name: 'Claude Small' }], has_more: false })
    if (state.fault === 'rate_limited') return problem(429, 'rate_limit_error', { 'retry-after': '2' })
    if (state.fault === 'error_before') return problem(529, 'overloaded_error')
    const asked = JSON.parse(body) as Json
    const wrong = complaint(asked, headers['anthropic-version'] ?? '')
    if (wrong !== undefined) return problem(400, wrong)
    const refused = ((asked.tools ?? []) as { name: string }[]).findIndex(({ name }) => name === state.refused)
    if (refused >= 0) return problem(400, `tools.${refused}.custom.input_schema: JSON schema is invalid.`)
    request.signal.addEventListener('abort', () => {
      state.left += 1
    })
    return new Response(torn(answered(), { hangs: state.fault === 'hang' }), { headers: { 'content-type': 'text/event-stream' } })
  }

  function* answered(): Generator<string> {
    const { pieces = [], toolCalls = [], ending = 'stop', usage } = state.script
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: null }
    const cached = Math.min(2, usage?.inputTokens ?? 10)
    const counted = {
      input_tokens: (usage?.inputTokens ?? 10) - cached - 1,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 1,
    }
    yield said('message_start', { message: { ...message, usage: { ...counted, output_tokens: 1 } } })
    yield said('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } })
    yield said('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'I think.' } })
    yield said('content_block_stop', { index: 0 })
    yield said('content_block_start', { index: 1, content_block: { type: 'text', text: '' } })
    yield said('ping')
    for (const [at, text] of pieces.entries()) {
      if (at === PIECES_BEFORE_FAULT && state.fault === 'error_inside')
        yield said('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
      if (at === PIECES_BEFORE_FAULT && state.fault !== undefined) return
      yield said('content_block_delta', { index: 1, delta: { type: 'text_delta', text } })
    }
    yield said('content_block_stop', { index: 1 })
    for (const [at, { id, name, arguments: given }] of toolCalls.entries()) {
      const index = at + 2
      yield said('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } })
      for (const piece of given.match(/[\s\S]{1,5}/g) ?? [])
        yield said('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } })
      yield said('content_block_stop', { index })
    }
    yield said('message_delta', { delta: { stop_reason: ends[ending] }, usage: { ...emptied, output_tokens: usage?.outputTokens ?? 5 } })
    yield said('message_stop')
  }
  return { url: server.url.origin, calls, state, stop: () => server.stop(true) }
}

export function rig(adapter: ModelAdapter): Rig {
  const side = startAnthropic()
  const credentials = { apiKey: KEY }
  return {
    credentials,
    badCredentials: { apiKey: 'sk-ant-somebody-else' },
    settings: {},
    open: (options) => openDesk(adapter, { 'api.anthropic.com': side.url }, { credentials, settings: {}, ...options }),
    models: { text: 'claude-small' },
    heard,
    say: (script) => void Object.assign(side.state, { script }),
    refuse: (refused) => void Object.assign(side.state, { refused }),
    faults: ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'],
    fail: (fault) => void Object.assign(side.state, { fault }),
    calm: () => void Object.assign(side.state, { fault: undefined }),
    calls: async () => side.calls,
    left: () => side.state.left,
    close: () => side.stop(),
  }
}
