import { isDeclaredHost } from '../../core/lib/net/outbound-target.ts'
import { type Adapter, filledBy } from '../adapter.ts'

const NAMED = /\{(\w+)\}/g

/** Returns the problems of an adapter's `oauth`, whose shape was already checked. */
export function oauthProblems({ oauth, credentials, settings, net }: Adapter): string[] {
  if (!oauth) return []
  const { authorizeUrl, tokenUrl, revokeUrl, client, clientAuth } = oauth
  const problems: string[] = []
  const unless = (holds: unknown, problem: string) => void (holds || problems.push(`oauth ${problem}`))
  for (const address of [authorizeUrl, tokenUrl, revokeUrl ?? tokenUrl]) {
    const unknown = [...address.matchAll(NAMED)].map(([, name = '']) => name).find((name) => !credentials[name] && !settings[name])
    unless(unknown === undefined, `names {${unknown}} in an address, which is neither a credential nor a setting`)
    const host = hostIn(address)
    // Hosts that contain an entered value are checked once it is known.
    unless(host.includes('{') || isDeclaredHost(host, net), `goes to ${host}, which net does not list`)
  }
  unless(credentials[client.id], `client.id must name one of the credentials, not "${client.id}"`)
  unless(!client.secret || credentials[client.secret]?.secret, 'client.secret must name one of the credentials that is secret')
  unless(clientAuth !== 'basic' || client.secret, 'clientAuth "basic" needs client.secret')
  for (const name of filledBy(oauth))
    unless(
      credentials[name]?.secret && credentials[name].optional,
      `fills in ${name}, which must be one of the credentials, secret and optional`,
    )
  return problems
}

const hostIn = (address: string) => /^https:\/\/([^/?#]*)/.exec(address)?.[1] ?? ''
