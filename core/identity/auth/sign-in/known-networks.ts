import { isIP } from 'node:net'
import type { Queryable } from '../../../data/sql.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { listSessionNetworks } from '../auth.queries.ts'

/** Distance of a request from the networks of an account's sessions: in one of them, in the network block of one, or elsewhere. */
export type NetworkProximity = 'home' | 'near' | 'away'

const HEX_PER_GROUP = 4

/**
 * Returns the block within which addresses of a provider usually move: a /24 of IPv4 or a /56 of IPv6. `network` has the form of
 * `networkOf`.
 */
export function networkBlockOf(network: string): string {
  if (isIP(network) === 4) return `${network.replace(/\d+$/, '0')}/24`
  if (!network.endsWith('::/64')) return network
  const groups = network.replace('::/64', '').split(':')
  const last = (groups.pop() ?? '').padStart(HEX_PER_GROUP, '0').slice(0, 2)
  return `${[...groups, `${last}00`].join(':')}::/56`
}

/** Compares an address with the networks of a user's valid sessions: `home` for one of them, `near` for the block of one, else `away`. */
export async function findNetworkProximity(sql: Queryable, userId: string, address: string): Promise<NetworkProximity> {
  const [network, networks] = [networkOf(address), await listSessionNetworks(sql, userId)]
  if (networks.includes(network)) return 'home'
  const near = networkBlockOf(network)
  return networks.some((one) => networkBlockOf(one) === near) ? 'near' : 'away'
}
