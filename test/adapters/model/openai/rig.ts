import { openDesk, type Rig } from '../../../../plugins/model/acceptance.ts'
import type { ModelAdapter } from '../../../../plugins/model/index.ts'
import { heardOf, picture, problem, sound, startChatServer } from '../chat-server.ts'

const KEY = 'sk-openai-0123456789abcdef'
const listed = ['gpt-small', 'gpt-image-1', 'gpt-4o-mini-tts', 'text-embedding-3', 'whisper-1']

export function startOpenAi() {
  return {
    key: KEY,
    ...startChatServer({
      root: '/v1',
      key: KEY,
      usage: (tokens) => ({
        ...tokens,
        total_tokens: 0,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 1 },
      }),
      async answer(path, _, body, request) {
        if (path === '/models')
          return Response.json({ object: 'list', data: listed.map((id) => ({ id, object: 'model', owned_by: 'openai' })) })
        if (path === '/audio/speech') return sound()
        if (path === '/images/generations') return picture(JSON.parse(body))
        if (path !== '/images/edits') return undefined
        const form = await request.formData()
        const isWhole = form.getAll('image[]').every((file) => file instanceof File && file.size > 50)
        return isWhole ? picture({ n: form.get('n') }) : problem(400, 'Invalid image')
      },
    }),
  }
}

export function rig(adapter: ModelAdapter): Rig {
  const openai = startOpenAi()
  const credentials = { apiKey: KEY }
  const settings = { prices: 'gpt-small 0.25 2' }
  return {
    credentials,
    badCredentials: { apiKey: 'sk-somebody-else' },
    settings,
    open: (options) => openDesk(adapter, { 'api.openai.com': openai.url }, { credentials, settings, ...options }),
    models: { text: 'gpt-small', image: 'gpt-image-1', speech: 'gpt-4o-mini-tts' },
    prices: { inputToken: '0.00000025', outputToken: '0.000002' },
    heard: heardOf,
    say: openai.say,
    refuse: openai.refuse,
    faults: ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'],
    fail: openai.fail,
    calm: openai.calm,
    calls: async () => openai.calls,
    left: () => openai.state.left,
    close: () => openai.stop(),
  }
}
