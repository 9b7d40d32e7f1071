import { kind } from '../kind.ts'
import { CONTRACT, type ConnectorAdapter, definition, members } from './members.ts'
import { connectorOperations } from './operations.ts'

export { CONTRACT, type ConnectorAdapter }

/** A platform of shops elsewhere, whose orders become ours. */
export const connector = kind({
  name: 'connector',
  contract: CONTRACT,
  home: import.meta.dir,
  tag: 'Connectors',
  several: true,
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  listed: ['install'],
  members,
  operations: connectorOperations,
  problems: (adapter: Partial<ConnectorAdapter>) => [
    ...(adapter.pushStock === undefined || adapter.settings?.pushStock
      ? []
      : ['pushStock is asked only where the setting pushStock is on, which is left out']),
    ...(adapter.shop === undefined || adapter.settings?.[adapter.shop] ? [] : [`shop names ${adapter.shop}, which is no setting`]),
    ...(adapter.shop !== undefined && adapter.account !== undefined ? ['account says what shop says already'] : []),
    ...(adapter.shopHeader !== undefined && adapter.shop === undefined ? ['shopHeader holds what shop names, which is left out'] : []),
    ...(adapter.shopInBody === undefined || adapter.settings?.[adapter.shopInBody.setting]
      ? []
      : [`shopInBody names ${adapter.shopInBody.setting}, which is no setting`]),
    ...(adapter.subscribesApp && adapter.shopInBody === undefined
      ? ['subscribesApp is of the shop that shopInBody names, which is left out']
      : []),
    ...((adapter.configure !== undefined) === (adapter.forms !== undefined && adapter.pages !== undefined)
      ? []
      : ['pages, forms and configure go together']),
    ...(adapter.subscribe !== undefined && adapter.webhook === undefined ? ['subscribe asks for callbacks, which nothing reads'] : []),
    ...(adapter.webhook?.tokens !== undefined && adapter.oauth === undefined
      ? ['webhook.tokens hands over what only oauth can renew']
      : []),
    ...((adapter.install?.includes('link') ?? false) === (adapter.link !== undefined)
      ? []
      : ['install: link and the member link go together']),
    ...((adapter.install?.includes('oauth') ?? false) === (adapter.oauth !== undefined) ? [] : ['install: oauth and oauth go together']),
  ],
  about: ({ shop }) => (shop === undefined ? 'reaches its own hosts alone' : 'reaches the address of each shop that is connected'),
})
