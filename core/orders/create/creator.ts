import { type Actor, connectionActor, PUBLIC_ACTOR } from '../../data/tenant-context.ts'
import type { OrderRow } from '../orders.queries.ts'

const actorBySource: Partial<Record<OrderRow['source'], Actor>> = {
  member: { kind: 'person', id: '', appId: null, adminId: null },
  api: { kind: 'key', id: '', appId: null, adminId: null },
  storefront: PUBLIC_ACTOR,
}

/** Actor that created an order; null for the system. Orders older than the `madeBy` column get the actor kind of their source. */
export const creatorOf = ({ madeBy, source, connectorId }: Pick<OrderRow, 'madeBy' | 'source' | 'connectorId'>): Actor | null =>
  madeBy ?? (connectorId === null ? actorBySource[source] : connectionActor('connector', connectorId)) ?? null
