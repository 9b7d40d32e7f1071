import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf, failing } from '../calls.ts'
import { client, startTikTok } from './simulator.ts'

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = startTikTok()
  const origins = Object.fromEntries(adapter.net.map((host) => [host, simulator.url]))
  return {
    credentials: client,
    open: (options) => openDesk(adapter, origins, { credentials: client, ...options }),
    granted: async (account) => ({ accessToken: simulator.books.newToken(account) }),
    tells: { email: false, verified: false, name: true },
    revoked: async () => ({ accessToken: 'act.over' }),
    fail: failing(simulator),
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    close: simulator.stop,
  }
}
