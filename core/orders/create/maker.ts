import { type Actor, connectionActor, PUBLIC_ACTOR } from '../../data/tenant-context.ts'
import type { OrderRow } from '../orders.queries.ts'

const ofSource: Partial<Record<OrderRow['source'], Actor>> = {
  member: { kind: 'person', id: '', appId: null, adminId: null },
  api: { kind: 'key', id: '', appId: null, adminId: null },
  storefront: PUBLIC_ACTOR,
}

/** Actor that made an order. Orders from before this was kept say by their source which kind it was. Null for the system. */
export const makerOf = ({ madeBy, source, connectorId }: Pick<OrderRow, 'madeBy' | 'source' | 'connectorId'>): Actor | null =>
  madeBy ?? (connectorId === null ? ofSource[source] : connectionActor('connector', connectorId)) ?? null
