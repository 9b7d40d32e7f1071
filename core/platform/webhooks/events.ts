import type { Product } from '../../http/scopes.ts'

export type Family = 'project' | 'store'

/** Who may subscribe: endpoints of a project (family B), webhooks of a store (family A), or both. */
interface EventRule {
  readonly product?: Product
  readonly audience: Family | 'both'
}

const projectEvent = (product: Product) => ({ product, audience: 'project' }) as const
const storeEvent = { audience: 'store' } as const
const parcelEvent = { product: 'parcels', audience: 'both' } as const

/** Every event there is. A name that is not here can be neither emitted nor subscribed to. */
const rules = {
  'ai.task.completed': projectEvent('ai'),
  'ai.task.failed': projectEvent('ai'),
  'ai.task.reconciliation_required': projectEvent('ai'),
  'parcel.created': parcelEvent,
  'parcel.submission_failed': parcelEvent,
  'parcel.status_changed': parcelEvent,
  'parcel.delivered': parcelEvent,
  'parcel.deleted': parcelEvent,
  'batch.completed': projectEvent('parcels'),
  'inventory.stock.changed': projectEvent('inventory'),
  'inventory.reservation.expired': projectEvent('inventory'),
  'inventory.operation.posted': projectEvent('inventory'),
  'order.created': storeEvent,
  'order.updated': storeEvent,
  'order.status_changed': storeEvent,
  'order.deleted': storeEvent,
  'product.created': storeEvent,
  'product.updated': storeEvent,
  'product.deleted': storeEvent,
  'customer.created': storeEvent,
  'feedback.created': storeEvent,
} as const satisfies Record<string, EventRule>

export type EventName = keyof typeof rules

export const eventNames = Object.keys(rules) as EventName[]
export const eventRule = (name: EventName): EventRule => rules[name]

/** What an endpoint of this family may name in `events`, besides `*`. */
export const eventsOf = (family: Family) => eventNames.filter((name) => rules[name].audience === family || rules[name].audience === 'both')

/** Sent by the test route alone; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test'

/** The one event with topics: `inventory.stock.changed:{namespace}/{key}`. */
export const TOPIC_EVENT = 'inventory.stock.changed' satisfies EventName
