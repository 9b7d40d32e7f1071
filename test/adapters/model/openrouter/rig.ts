import { openDesk, type Rig } from '../../../../plugins/model/acceptance.ts'
import type { ModelAdapter } from '../../../../plugins/model/index.ts'
import { heardOf, picture, problem, sound, startChatServer } from '../chat-server.ts'

const KEY = 'sk-or-0123456789abcdef'
const model = (id: string, outputs: readonly string[], pricing: object, more: object = {}) => ({
  id,
  name: id,
  context_length: 128_000,
  architecture: { input_modalities: ['text', 'image'], output_modalities: outputs },
  pricing,
  top_provider: { context_length: 128_000, max_completion_tokens: 8_000 },
  supported_parameters: ['tools', 'structured_outputs', 'max_tokens'],
  ...more,
})
const cheap = { prompt: '0.00000015', completion: '0.0000006', request: '0', input_cache_read: '0.000000075' }
/** More than a page holds, of what gives neither text, pictures nor speech. */
const others = Array.from({ length: 500 }, (_, at) => model(`maker/embedder-${at}`, ['embeddings'], cheap))
const listed = [
  ...others,
  model('maker/writer', ['text'], cheap),
  model('maker/router', ['text'], { prompt: '-1', completion: '-1' }),
  model('maker/painter', ['image'], { ...cheap, image_output: '0.04' }),
  model('maker/speaker', ['audio'], cheap, { supported_voices: ['lina'] }),
]

/** What is known of a generation is known a while after its end. */
const lost = { finish_reason: 'stop', cancelled: false, native_tokens_prompt: 12, native_tokens_completion: 34, total_cost: 0.0000222 }

export function startOpenRouter() {
  const asked = new Map<string, number>()
  const generation = (id: string) => {
    const times = (asked.get(id) ?? 0) + 1
    asked.set(id, times)
    return id === 'gen-lost' ? Response.json({ data: { id, ...lost } }) : problem(404, 'Generation not found')
  }
  return {
    key: KEY,
    ...startChatServer({
      root: '/api/v1',
      key: KEY,
      comment: 'OPENROUTER PROCESSING',
      sameIndex: true,
      usage: (tokens) => ({ ...tokens, cost: 0.00000015 * tokens.prompt_tokens, is_byok: false }),
      answer(path, url, body) {
        if (path === '/key') return Response.json({ data: { label: 'sk-or-012...def', limit: null, usage: 1 } })
        if (path === '/models') {
          const [offset, limit] = [Number(url.searchParams.get('offset')), Number(url.searchParams.get('limit'))]
          const isOfTexts = ({ architecture }: (typeof listed)[number]) => architecture.output_modalities.includes('text')
          const found = url.searchParams.get('output_modalities') === 'all' ? listed : listed.filter(isOfTexts)
          return Response.json({ data: found.slice(offset, offset + limit), total_count: found.length })
        }
        if (path === '/generation') return generation(url.searchParams.get('id') ?? '')
        if (path === '/audio/speech') return sound()
        return path === '/images' ? picture(JSON.parse(body)) : undefined
      },
    }),
  }
}

export function rig(adapter: ModelAdapter): Rig {
  const router = startOpenRouter()
  const credentials = { apiKey: KEY }
  return {
    credentials,
    badCredentials: { apiKey: 'sk-or-somebody-else' },
    settings: {},
    open: (options) => openDesk(adapter, { 'openrouter.ai': router.url }, { credentials, settings: {}, ...options }),
    models: { text: 'maker/writer', image: 'maker/painter', speech: 'maker/speaker' },
    prices: { inputToken: cheap.prompt, outputToken: cheap.completion },
    lost: { inputTokens: 12, outputTokens: 34, cost: '0.0000222' },
    heard: heardOf,
    say: router.say,
    carries: true,
    refuse: router.refuse,
    faults: ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'],
    fail: router.fail,
    calm: router.calm,
    calls: async () => router.calls,
    left: () => router.state.left,
    lose: async () => 'gen-lost',
    close: () => router.stop(),
  }
}
