import { kind } from '../kind.ts'
import { CONTRACT, definition, members, type SocialAdapter } from './members.ts'

export { CONTRACT, type SocialAdapter }

/** Kind of identity providers, with whose accounts users sign in. */
export const social = kind({
  name: 'social',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Users',
  owners: ['platform'],
  // An adapter's word about the identity is trusted, so it could sign in as any user.
  builtInOnly: true,
  scopes: { read: 'stores:read', write: 'stores:write' },
  definition,
  members,
  operations: {},
  problems,
})

/** Settings that every provider has: `sharedSettings` of `serai/social`. */
const SHARED = ['appIds', 'returnAddresses']

function problems({ credentials = {}, settings = {}, net = [], clientSecret, ...adapter }: Partial<SocialAdapter>): string[] {
  const { authorizeUrl, tokenUrl, revokeUrl = tokenUrl, identityToken } = adapter
  const addresses = [authorizeUrl, tokenUrl, revokeUrl, identityToken?.keysUrl ?? tokenUrl]
  const hosts = addresses.map((address) => URL.parse(String(address).replaceAll(/[{}]/g, ''))?.host)
  const named = addresses.flatMap((address) => [...String(address).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  const { setting } = identityToken ?? {}
  return [
    ...hosts.filter((host) => host === undefined || !net.includes(host)).map((host) => `goes to ${host}, which net does not list`),
    ...[...SHARED, ...named, ...(setting === undefined ? [] : [setting])]
      .filter((name) => !settings[name])
      .map((name) => `lacks the setting ${name}`),
    ...(credentials.clientId ? [] : ['lacks the credential clientId']),
    ...(clientSecret || credentials.clientSecret?.secret
      ? []
      : ['needs the credential clientSecret, which is secret, or a member clientSecret']),
  ]
}
