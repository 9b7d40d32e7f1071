import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf, failing, ledBack } from '../calls.ts'
import { client, startFacebook } from './simulator.ts'

/** Where it answers, by its documents. */
const HOSTS = ['www.facebook.com', 'graph.facebook.com', 'limited.facebook.com']

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = await startFacebook()
  const origins = Object.fromEntries(HOSTS.map((host) => [host, simulator.url]))
  const { books, foreign, over } = simulator
  return {
    credentials: client,
    open: (options) => openDesk(adapter, origins, { credentials: client, ...options }),
    granted: async (account) => ({ accessToken: books.newToken(account) }),
    ledBack,
    tells: { email: true, verified: false, name: true },
    async revoked() {
      const accessToken = books.newToken({ subject: '1' })
      over.add(accessToken)
      return { accessToken }
    },
    async appToken(account, of) {
      const token = books.newToken(account)
      if (of === 'other') foreign.add(token)
      if (of === 'over') over.add(token)
      return token
    },
    fail: failing(simulator),
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    secretsInQuery: '/debug_token$',
    close: simulator.stop,
  }
}
