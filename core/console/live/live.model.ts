import type { Permission } from '../../http/auth/scopes.ts'

/** Limits of live streams. */
export const LIVE_LIMITS = {
  /** Open streams of one user in this process. */
  perUser: 10,
  /** Open streams of all users in this process. */
  all: 2_000,
  /** Milliseconds for which hints are gathered before they are sent. */
  gatherMs: 200,
  /** Ids of one topic that are named one by one. With more, the hint names the topic alone. */
  ids: 50,
  /** Milliseconds between comments that keep the connection open. */
  heartbeatMs: 25_000,
  /** Milliseconds after which a stream ends, so that clients spread over processes again. */
  lifeMs: 15 * 60_000,
  /** Bytes that may wait for a slow reader. */
  bufferBytes: 64 * 1024,
} as const

/** Topics of hints. */
export const topics = [
  'order',
  'confirmation',
  'customer',
  'payment',
  'cash',
  'parcel',
  'product',
  'inventory',
  'store',
  'member',
  'connection',
  'task',
  'notification',
] as const
/** Topic of a hint. */
export type Topic = (typeof topics)[number]

/** Permission that shows a topic to a member of the store. Null for topics of the user alone. */
export const topicPermissions: Readonly<Record<Topic, Permission | null>> = {
  order: 'orders:read',
  confirmation: 'orders:read',
  customer: 'orders:read',
  payment: 'orders:read',
  cash: 'cash:read',
  parcel: 'parcels:read',
  product: 'products:read',
  inventory: 'inventory:read',
  store: 'stores:read',
  member: 'members:read',
  connection: 'stores:read',
  task: 'ai:read',
  notification: null,
}

/** Reason why the server ends a stream. */
export type CloseReason = 'expired' | 'access_changed' | 'slow' | 'shutdown'

/** Data of the event `hint`: something of the topic has changed. */
export interface LiveHint {
  readonly topic: Topic
  /** Id of what changed; null for several things of the topic. */
  readonly id: string | null
}
