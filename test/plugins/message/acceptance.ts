import type { Case, RigBase } from '../../../plugins/acceptance/accept.ts'
import { assertFits } from '../../../plugins/acceptance/checks.ts'
import type { AdapterContext } from '../../../plugins/adapter.ts'
import { Delivery, type MessageAdapter } from './kind.ts'

export interface Rig extends RigBase {
  open(options?: { readonly connectionId?: string }): AdapterContext
}

export const acceptance = (adapter: MessageAdapter, rig: Rig): Case[] => [
  {
    name: 'a message is sent',
    async run() {
      const { id } = await adapter.send(rig.open(), { reference: 'm1', phone: '+213550000000', text: 'hello' })
      if (!id.startsWith('int_lane_')) throw new Error(`it was sent over ${id}`)
    },
  },
  {
    name: 'what was sent is listed',
    ...(!adapter.deliveries && { skip: 'it lists nothing' }),
    async run() {
      for (const one of (await adapter.deliveries?.(rig.open(), {})) ?? []) assertFits(Delivery, one, 'delivery')
    },
  },
]
