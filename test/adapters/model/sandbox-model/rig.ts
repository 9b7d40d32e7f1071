import { type Desk, openDesk, type Rig } from '../../../../plugins/model/acceptance.ts'
import type { ModelAdapter } from '../../../../plugins/model/index.ts'

/** The sandbox is its own other side; what goes wrong there is said in what it is asked. */
export function rig(adapter: ModelAdapter): Rig {
  return {
    credentials: {},
    settings: {},
    open: (options) => openDesk(adapter, {}, { credentials: {}, settings: {}, ...options }),
    models: { text: 'writer', image: 'painter', speech: 'speaker' },
    faults: [],
    fail() {},
    calm() {},
    calls: async () => [],
    async lose({ context }: Desk) {
      let generation = ''
      const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'CUT this in the middle' }] }]
      try {
        for await (const part of adapter.complete(context, { model: 'writer', messages }))
          if (part.type === 'started') generation = part.generation
      } catch {
        // As it was asked for.
      }
      return generation
    },
  }
}
