import { openDesk, type Rig } from '../../../../plugins/social/acceptance.ts'
import type { SocialAdapter } from '../../../../plugins/social/kind.ts'
import { callsOf, ledBack } from '../calls.ts'
import { startApple, userOf } from './simulator.ts'

/** Where it answers, by its documents. */
const HOSTS = ['appleid.apple.com']

export async function rig(adapter: SocialAdapter): Promise<Rig> {
  const simulator = await startApple()
  const origins = Object.fromEntries(HOSTS.map((host) => [host, simulator.url]))
  const credentials = simulator.client
  return {
    credentials,
    badCredentials: { privateKey: '-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----' },
    open: (options) => openDesk(adapter, origins, { credentials, ...options }),
    granted: async (account) => ({
      accessToken: 'a.token',
      claims: simulator.claimsOf(account),
      ...(account.name !== undefined && { user: userOf(account.name, account.email) }),
    }),
    ledBack,
    tells: { email: true, verified: true, name: true },
    takesSecret: simulator.takesSecret,
    calm: simulator.calm,
    seen: async () => callsOf(simulator),
    close: simulator.stop,
  }
}
