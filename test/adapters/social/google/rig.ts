import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf, ledBack } from '../calls.ts'
import { client, startGoogle } from './simulator.ts'

/** Where it answers, by its documents. */
const HOSTS = ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com']

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = await startGoogle()
  const origins = Object.fromEntries(HOSTS.map((host) => [host, simulator.url]))
  return {
    credentials: client,
    open: (options) => openDesk(adapter, origins, { credentials: client, ...options }),
    granted: async (account) => ({ accessToken: 'ya29.token', claims: simulator.claimsOf(account) }),
    ledBack,
    tells: { email: true, verified: true, name: true },
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    close: simulator.stop,
  }
}
