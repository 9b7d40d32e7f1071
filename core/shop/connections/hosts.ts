import type { Context } from '../../context.ts'
import type { Connection } from './connection.ts'

/** All that the account's adapter may reach. */
export const hostsOf = ({ config }: Context, { mounted: { adapter } }: Pick<Connection, 'mounted'>): readonly string[] => [
  ...adapter.net,
  ...(config.adapterHosts[adapter.slug] ?? []),
]
