import { isIP } from 'node:net'
import type { Queryable } from '../../../data/sql.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { listNetworks } from '../auth.queries.ts'

/** How near a request comes from to where the account's own sessions were opened. */
export type Nearness = 'home' | 'near' | 'away'

const HEX_PER_GROUP = 4

/** What a provider's customers move about in: 256 addresses of IPv4, a /56 of IPv6. `network`: as `networkOf` gives it. */
export function neighbourhoodOf(network: string): string {
  if (isIP(network) === 4) return `${network.replace(/\d+$/, '0')}/24`
  if (!network.endsWith('::/64')) return network
  const groups = network.replace('::/64', '').split(':')
  const last = (groups.pop() ?? '').padStart(HEX_PER_GROUP, '0').slice(0, 2)
  return `${[...groups, `${last}00`].join(':')}::/56`
}

/** `home`: from where a session that still works was opened; `near`: from the neighbourhood of one, as a phone is the next day. */
export async function nearnessOf(sql: Queryable, userId: string, address: string): Promise<Nearness> {
  const [network, networks] = [networkOf(address), await listNetworks(sql, userId)]
  if (networks.includes(network)) return 'home'
  const near = neighbourhoodOf(network)
  return networks.some((one) => neighbourhoodOf(one) === near) ? 'near' : 'away'
}
