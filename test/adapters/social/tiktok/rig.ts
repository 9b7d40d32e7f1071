import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf, failing, ledBack } from '../calls.ts'
import { client, startTikTok } from './simulator.ts'

/** Where it answers, by its documents. */
const HOSTS = ['www.tiktok.com', 'open.tiktokapis.com']

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = startTikTok()
  const origins = Object.fromEntries(HOSTS.map((host) => [host, simulator.url]))
  return {
    credentials: client,
    open: (options) => openDesk(adapter, origins, { credentials: client, ...options }),
    granted: async (account) => ({ accessToken: simulator.books.newToken(account) }),
    ledBack,
    tells: { email: false, verified: false, name: true },
    revoked: async () => ({ accessToken: 'act.over' }),
    fail: failing(simulator),
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    close: simulator.stop,
  }
}
