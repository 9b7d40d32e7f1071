import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf } from '../calls.ts'
import { client, startGoogle } from './simulator.ts'

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = await startGoogle()
  const origins = Object.fromEntries(adapter.net.map((host) => [host, simulator.url]))
  return {
    credentials: client,
    open: (options) => openDesk(adapter, origins, { credentials: client, ...options }),
    granted: async (account) => ({ accessToken: 'ya29.token', claims: simulator.claimsOf(account) }),
    tells: { email: true, verified: true, name: true },
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    close: simulator.stop,
  }
}
