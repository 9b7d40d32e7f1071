import type { ModelAdapter } from 'serai/model'
import { openDesk, type Rig } from 'serai/model/acceptance'
import { key, startSimulator } from './simulator.ts'

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
    say: (script) => void Object.assign(state, { script }),
    faults: ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'],
    fail: (fault) => void Object.assign(state, { fault }),
    calm: () => void Object.assign(state, { fault: undefined }),
    calls: async () => simulator.calls,
    left: () => state.left,
    close: () => simulator.stop(),
  }
}
