import type { ChangeName } from '../../platform/audit/changes.ts'
import type { NewEvent } from '../../platform/webhooks/emit.ts'
import type { LiveHint, Topic } from './live.model.ts'

/** Topic of a webhook event or a recorded change, by the first word of its name. */
const topicOfWord: Readonly<Record<string, Topic>> = {
  ai: 'task',
  batch: 'parcel',
  block: 'customer',
  carrier_payout: 'cash',
  confirmation: 'store',
  connection: 'connection',
  connector: 'connection',
  customer: 'customer',
  domain: 'store',
  feedback: 'product',
  inventory: 'inventory',
  invitation: 'member',
  key: 'store',
  manifest: 'parcel',
  mcp_server: 'connection',
  member: 'member',
  order: 'order',
  orders: 'order',
  parcel: 'parcel',
  parcels: 'parcel',
  payment: 'payment',
  payout: 'cash',
  payout_line: 'cash',
  product: 'product',
  promo: 'product',
  proxy_hosts: 'connection',
  store: 'store',
  subscription: 'store',
}

/** Returns the topic of a webhook event or a recorded change. Undefined if hints do not report it. */
export const topicOf = (name: string): Topic | undefined => topicOfWord[name.split('.')[0] ?? '']

/** Returns the hint of a webhook event, or none. */
export function hintsOfEvent({ type, orderKey, data }: Pick<NewEvent, 'type' | 'orderKey' | 'data'>): LiveHint[] {
  const topic = topicOf(type)
  return topic ? [{ topic, id: orderKey ?? idIn(data, topic) }] : []
}

/** Returns the hint of a recorded change, or none. */
export function hintsOfChange({ what, thing }: { readonly what: ChangeName; readonly thing: string }): LiveHint[] {
  const topic = topicOf(what)
  return topic ? [{ topic, id: thing }] : []
}

/** Finds the id in the payload of an event: `{ id }`, or that of the object named by the topic. */
function idIn(data: object, topic: Topic): string | null {
  const { id, [topic]: named } = data as Record<string, unknown>
  const found = id ?? (named as { readonly id?: unknown } | undefined)?.id
  return typeof found === 'string' ? found : null
}
