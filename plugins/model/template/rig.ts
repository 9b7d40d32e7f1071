import type { Completion, ModelAdapter } from 'serai/model'
import { type Heard, openDesk, type Rig, type Said, type SeenCall } from 'serai/model/acceptance'
import { key, startSimulator } from './simulator.ts'

/** Reads a request of the simulator in the contract's words. */
function heard({ body }: SeenCall): Heard {
  const { model, messages, tools = [], output, maxTokens } = JSON.parse(body) as Completion
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])).join('\n')
  return { model, system, said: messages.flatMap(saidIn), tools, schema: output?.schema, maxTokens }
}

function saidIn(message: Completion['messages'][number]): Said[] {
  if (message.role === 'system') return []
  if (message.role === 'tool') return [{ by: 'tool', answers: message.name, text: message.text }]
  if (message.role === 'user')
    return message.parts.map((part) =>
      part.type === 'text' ? { by: 'user', text: part.text } : { by: 'user', picture: `${part.image.mediaType} ${part.image.data}` },
    )
  const calls = message.toolCalls?.map(
    ({ name, arguments: given, carry }): Said => ({ by: 'assistant', calls: name, given: JSON.parse(given), ...(carry && { carry }) }),
  )
  return [...(message.text === '' ? [] : [{ by: 'assistant' as const, text: message.text }]), ...(calls ?? [])]
}

/** Connects the acceptance suite to the simulator: credentials, requests, and every way in which the provider can fail. */
export function rig(adapter: ModelAdapter): Rig {
  const simulator = startSimulator()
  const { state } = simulator
  const credentials = { key }
  return {
    credentials,
    badCredentials: { key: 'wrong-key-9876543210' },
    settings: {},
    open: (options) => openDesk(adapter, { 'api.example.com': simulator.url }, { credentials, settings: {}, ...options }),
    models: { text: 'small' },
    prices: { inputToken: '0.0000001', outputToken: '0.0000004' },
    heard,
    carries: true,
    say: (script) => void Object.assign(state, { script }),
    faults: ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'],
    fail: (fault) => void Object.assign(state, { fault }),
    calm: () => void Object.assign(state, { fault: undefined }),
    calls: async () => simulator.calls,
    left: () => state.left,
    close: () => simulator.stop(),
  }
}
