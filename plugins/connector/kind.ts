import { kind } from '../kind.ts'
import { CONTRACT, type ConnectorAdapter, definition, members } from './members.ts'
import { connectorOperations } from './operations.ts'

export { CONTRACT, type ConnectorAdapter }

/** Kind of shop platforms, whose orders are imported. */
export const connector = kind({
  name: 'connector',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Connectors',
  multiple: true,
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  listed: ['install'],
  members,
  operations: connectorOperations,
  problems: (adapter: Partial<ConnectorAdapter>) => [
    ...(adapter.pushStock === undefined || adapter.settings?.pushStock ? [] : ['pushStock needs the setting pushStock, which is missing']),
    ...(adapter.shop === undefined || adapter.settings?.[adapter.shop] ? [] : [`shop names ${adapter.shop}, which is not a setting`]),
    ...(adapter.shop !== undefined && adapter.account !== undefined ? ['account and shop are alternatives; declare one'] : []),
    ...(adapter.shopHeader !== undefined && adapter.shop === undefined ? ['shopHeader needs shop, which is missing'] : []),
    ...(adapter.shopInBody === undefined || adapter.settings?.[adapter.shopInBody.setting]
      ? []
      : [`shopInBody names ${adapter.shopInBody.setting}, which is not a setting`]),
    ...(adapter.subscribesApp && adapter.shopInBody === undefined ? ['subscribesApp needs shopInBody, which is missing'] : []),
    ...((adapter.configure !== undefined) === (adapter.forms !== undefined && adapter.pages !== undefined)
      ? []
      : ['pages, forms and configure must be declared together']),
    ...(adapter.subscribe !== undefined && adapter.webhook === undefined ? ['subscribe needs webhook, which is missing'] : []),
    ...(adapter.webhook?.unsigned === undefined || adapter.readOrder ? [] : ['webhook.unsigned needs readOrder, which is missing']),
    ...((adapter.install?.includes('link') ?? false) === (adapter.link !== undefined)
      ? []
      : ['link in install and the member link must be declared together']),
    ...((adapter.install?.includes('oauth') ?? false) === (adapter.oauth !== undefined)
      ? []
      : ['oauth in install and the constant oauth must be declared together']),
  ],
  summary: ({ shop }) => (shop === undefined ? 'reaches only its own hosts' : 'reaches the address of each connected shop'),
})
