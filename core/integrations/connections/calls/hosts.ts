import type { Context } from '../../../context.ts'
import type { Connection } from '../connection.ts'

/** All that the account's adapter may reach. */
export const hostsOf = ({ config }: Context, { mounted: { adapter }, row }: Pick<Connection, 'mounted' | 'row'>): readonly string[] => [
  ...adapter.net,
  ...(config.adapterHosts[adapter.slug] ?? []),
  ...ownHost(adapter, row.settings),
  ...addressed(adapter, row.settings),
]

/** Of a source whose address is a setting, the host that it leads to. */
function addressed(adapter: object, settings: Readonly<Record<string, unknown>>): string[] {
  const address = 'address' in adapter ? URL.parse(String(settings[String(adapter.address)] ?? '')) : null
  return address ? [address.hostname] : []
}

/** Of a platform whose shops have each a host of their own, that of this one. */
function ownHost(adapter: object, settings: Readonly<Record<string, unknown>>): string[] {
  const host = 'shop' in adapter ? settings[String(adapter.shop)] : undefined
  return typeof host === 'string' && /^[a-z0-9.-]+$/.test(host) ? [host] : []
}
