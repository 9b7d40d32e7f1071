import type { SeenCall } from '../../../../plugins/acceptance/calls.ts'
import { type Fault, type Heard, openDesk, type Rig, type Said, type Script } from '../../../../plugins/model/acceptance.ts'
import type { ModelAdapter } from '../../../../plugins/model/index.ts'
import { geminiRefusal } from '../schema-refusals.ts'
import { torn } from '../torn.ts'

type Json = Readonly<Record<string, unknown>>
const KEY = 'AIza0123456789abcdef'
const PIECES_BEFORE_FAULT = 2
const said = (value: Json) => `data: ${JSON.stringify(value)}\r\n\r\n`
const problem = (code: number, status: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: status, status } }, { status: code, headers })
const badKey = () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
  const message = 'API key not valid. Please pass a valid API key.'
  return Response.json({ error: { code: 400, message, status: 'INVALID_ARGUMENT', details } }, { status: 400 })
}

/** What it will not take: roles that it does not know, and words of a schema that it does not know. */
function complaint(asked: Json): string | undefined {
  const turns = (asked.contents ?? []) as { role: string }[]
  const { responseSchema, responseMimeType } = (asked.generationConfig ?? {}) as Json
  if (responseSchema && responseMimeType !== 'application/json') return 'response_schema needs response_mime_type application/json'
  if (turns.some(({ role }) => role !== 'user' && role !== 'model')) return 'Please use a valid role: user, model.'
  const [offered] = (asked.tools ?? []) as { functionDeclarations: [] }[]
  return geminiRefusal(offered?.functionDeclarations)
}

/** What is wrong with the calls of the present turn: the first of each answer has to come back with the signature that was given for it. */
function unsigned(asked: Json, given: ReadonlySet<string>): string | undefined {
  const turns = (asked.contents ?? []) as { role: string; parts: Piece[] }[]
  const begins = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some(({ text }) => text !== undefined))
  for (const { parts } of turns.slice(begins + 1)) {
    const first = parts.find(({ functionCall }) => functionCall)
    if (first && first.thoughtSignature === undefined) return 'Function call is missing a thought_signature in functionCall parts.'
    if (first && !given.has(first.thoughtSignature ?? '')) return 'Corrupted thought signature.'
  }
  return undefined
}

interface Piece {
  readonly text?: string
  readonly thoughtSignature?: string
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly functionCall?: { readonly name: string; readonly args: unknown }
  readonly functionResponse?: { readonly name: string; readonly response: unknown }
}

function saidIn(role: string, { text = '', inlineData, functionCall, functionResponse, thoughtSignature: carry }: Piece): Said {
  if (inlineData) return { by: 'user', picture: `${inlineData.mimeType} ${inlineData.data}` }
  if (functionCall) return { by: 'assistant', calls: functionCall.name, given: functionCall.args, ...(carry && { carry }) }
  if (functionResponse) return { by: 'tool', answers: functionResponse.name, text: JSON.stringify(functionResponse.response) }
  return { by: role === 'model' ? 'assistant' : 'user', text }
}

function heard({ path, body }: SeenCall): Heard {
  const { contents, systemInstruction, tools = [], generationConfig = {} } = JSON.parse(body)
  return {
    model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ''),
    system: ((systemInstruction?.parts ?? []) as Piece[]).map(({ text }) => text).join('\n'),
    said: (contents as { role: string; parts: Piece[] }[]).flatMap(({ role, parts }) => parts.map((piece) => saidIn(role, piece))),
    tools: tools[0]?.functionDeclarations ?? [],
    schema: generationConfig.responseSchema,
    maxTokens: generationConfig.maxOutputTokens,
  }
}

/** What it thinks is counted apart from what it says. */
const THOUGHTS = 4

/** The other side as its documents have it: calls of tools whole, thoughts among what is said, and no candidate where it will not hear. */
export function startGemini() {
  const calls: SeenCall[] = []
  const signatures = new Set<string>()
  const state = { script: {} as Script, fault: undefined as Fault | undefined, left: 0, refused: undefined as string | undefined }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: hear })

  async function hear(request: Request): Promise<Response> {
    const { pathname: path, search, searchParams } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    calls.push({ at: Date.now(), method: request.method, path, query: search.slice(1), headers, body })
    if (headers['x-goog-api-key'] !== KEY) return badKey()
    const model = { name: 'models/gemini-small', displayName: 'Gemini Small', inputTokenLimit: 1_000_000, outputTokenLimit: 8_192 }
    if (path === '/v1beta/models')
      return Response.json({
        models: [
          { ...model, supportedGenerationMethods: ['generateContent', 'countTokens'] },
          { name: 'models/embedding-1', supportedGenerationMethods: ['embedContent'] },
        ],
      })
    if (path !== '/v1beta/models/gemini-small:streamGenerateContent' || searchParams.get('alt') !== 'sse') return problem(404, 'NOT_FOUND')
    if (state.fault === 'rate_limited') return problem(429, 'RESOURCE_EXHAUSTED', { 'retry-after': '2' })
    if (state.fault === 'error_before') return problem(503, 'UNAVAILABLE')
    const asked = JSON.parse(body) as Json
    const wrong = complaint(asked) ?? unsigned(asked, signatures)
    if (wrong !== undefined) return problem(400, wrong)
    const [offered] = (asked.tools ?? []) as { functionDeclarations: { name: string }[] }[]
    const refused = offered?.functionDeclarations.findIndex(({ name }) => name === state.refused) ?? -1
    if (refused >= 0) return problem(400, `GenerateContentRequest.tools[0].function_declarations[${refused}].parameters: odd`)
    request.signal.addEventListener('abort', () => {
      state.left += 1
    })
    return new Response(torn(answered(), { hangs: state.fault === 'hang' }), { headers: { 'content-type': 'text/event-stream' } })
  }

  function* answered(): Generator<string> {
    const { pieces = [], toolCalls = [], ending = 'stop', usage } = state.script
    const counted = {
      promptTokenCount: usage?.inputTokens ?? 10,
      candidatesTokenCount: (usage?.outputTokens ?? 5) - THOUGHTS,
      thoughtsTokenCount: THOUGHTS,
    }
    const about = { responseId: 'r-1', modelVersion: 'gemini-small', usageMetadata: { promptTokenCount: counted.promptTokenCount } }
    const chunk = (parts: readonly Json[], finishReason?: string) =>
      said({ ...about, candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }] })
    if (ending === 'refused') {
      yield said({ ...about, promptFeedback: { blockReason: 'SAFETY' } })
      return
    }
    for (const [at, text] of pieces.entries()) {
      if (at === PIECES_BEFORE_FAULT && state.fault === 'error_inside')
        yield said({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } })
      if (at === PIECES_BEFORE_FAULT && state.fault !== undefined) return
      yield chunk([{ text }])
    }
    yield chunk([{ text: 'I think.', thought: true }])
    for (const [at, { id, name, arguments: given, carry = `signature-${signatures.size}` }] of toolCalls.entries()) {
      const thoughtSignature = at === 0 ? carry : undefined
      if (thoughtSignature) signatures.add(thoughtSignature)
      yield chunk([{ functionCall: { id, name, args: JSON.parse(given) }, thoughtSignature }])
    }
    const candidates = [{ index: 0, content: { role: 'model', parts: [] }, finishReason: ending === 'length' ? 'MAX_TOKENS' : 'STOP' }]
    yield said({ ...about, candidates, usageMetadata: { ...counted, totalTokenCount: 0 } })
  }
  return { url: server.url.origin, calls, state, stop: () => server.stop(true) }
}

export function rig(adapter: ModelAdapter): Rig {
  const side = startGemini()
  const credentials = { apiKey: KEY }
  const settings = { prices: 'gemini-small 0.3 2.5' }
  return {
    credentials,
    badCredentials: { apiKey: 'AIza-somebody-else' },
    settings,
    open: (options) => openDesk(adapter, { 'generativelanguage.googleapis.com': side.url }, { credentials, settings, ...options }),
    models: { text: 'gemini-small' },
    prices: { inputToken: '0.0000003', outputToken: '0.0000025' },
    heard,
    carries: true,
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
