import type { Context } from '../../../context.ts'
import type { Connection } from '../connection.ts'

/** Lists the hosts that a connection's adapter may reach: declared, configured by the operator, and derived from settings. */
export const hostsOf = ({ config }: Context, { mounted: { adapter }, row }: Pick<Connection, 'mounted' | 'row'>): readonly string[] => [
  ...adapter.net,
  ...(config.adapterHosts[adapter.slug] ?? []),
  ...ownHost(adapter, row.settings),
  ...hostOfAddress(adapter, row.settings),
]

/** Returns the host of an address that is a setting, such as the address of an external service. */
function hostOfAddress(adapter: object, settings: Readonly<Record<string, unknown>>): string[] {
  const address = 'address' in adapter ? URL.parse(String(settings[String(adapter.address)] ?? '')) : null
  return address ? [address.hostname] : []
}

/** Returns the shop's own host, for platforms that give each shop one. */
function ownHost(adapter: object, settings: Readonly<Record<string, unknown>>): string[] {
  const host = 'shop' in adapter ? settings[String(adapter.shop)] : undefined
  return typeof host === 'string' && /^[a-z0-9.-]+$/.test(host) ? [host] : []
}
