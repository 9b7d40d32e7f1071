import {
  base64Bytes,
  createShopReceiver,
  type InboundRequest,
  isHmacSha256,
  isRow,
  jsonIn,
  type Row,
  rows,
  type ShopEvent,
  type Subscribed,
  text,
  word,
} from 'serai/connector'
import { graphql, mutationResult, row } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { receive: createShopReceiver({ verify, parse }) }

const TOPICS = ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_CANCELLED', 'ORDERS_DELETE', 'APP_UNINSTALLED'] as const
const OF_ORDERS = /^orders\/(create|updated|paid|cancelled)$/
/** Mandatory privacy topics, with the field that lists the orders; without one they concern all orders. */
const OF_PEOPLE: Readonly<Record<string, { readonly wants: 'disclose' | 'forget'; readonly orders?: string }>> = {
  'customers/data_request': { wants: 'disclose', orders: 'orders_requested' },
  'customers/redact': { wants: 'forget', orders: 'orders_to_redact' },
  'shop/redact': { wants: 'forget' },
}
const ORDERS_MAX = 1000

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, signature] = [credentials.clientSecret ?? '', headers['x-shopify-hmac-sha256'] ?? '']
  return secret !== '' && /^[A-Za-z0-9+/]{43}=$/.test(signature) && isHmacSha256(secret, body, base64Bytes(signature))
}

/** Parses a callback. The app signs the body, so another shop of the app could sign its own orders: only the order's id is used. */
function parse({ headers, body }: InboundRequest, context: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const topic = headers['x-shopify-topic'] ?? ''
  const id = isRow(said) ? idIn(said) : undefined
  if (isRow(said) && isOfShop(said, topic, context)) return topic === 'app/uninstalled' ? [{ left: true }] : ofPeople(said, topic)
  if (topic === 'orders/delete' && id !== undefined) return [{ gone: id }]
  if (isRow(said) && id !== undefined && OF_ORDERS.test(topic) && Array.isArray(said.line_items)) return [{ changed: id }]
  context.log('left out what is no news of an order')
  return []
}

/** Returns true when the signed body names this shop. */
const isOfShop = (said: Row, topic: string, { settings }: Context) =>
  topic === 'app/uninstalled'
    ? text(said.myshopify_domain) === settings.shop
    : Object.hasOwn(OF_PEOPLE, topic) && text(said.shop_domain) === settings.shop

function ofPeople(said: Row, topic: string): ShopEvent[] {
  const asked = OF_PEOPLE[topic]
  if (!asked) return []
  const { wants, orders: field } = asked
  if (field === undefined) return [{ privacy: { wants, orders: null } }]
  const listed = said[field]
  const orders = (Array.isArray(listed) ? listed : []).flatMap((one) => idIn({ id: one }) ?? [])
  const parts = Array.from({ length: Math.ceil(orders.length / ORDERS_MAX) }, (_, at) =>
    orders.slice(at * ORDERS_MAX, (at + 1) * ORDERS_MAX),
  )
  return parts.map((part) => ({ privacy: { wants, orders: part } }))
}

const idIn = ({ id }: Row) => /^\d{1,30}$/.exec(word(id) ?? '')?.[0]

const LIST = 'query { webhookSubscriptions(first: 100) { nodes { id topic uri } } }'
const CREATE = `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) { webhookSubscription { id } userErrors { message } } }`
const DELETE = 'mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } } }'

async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const { webhookSubscriptions } = await graphql(context, LIST, {}, { readsOnly: true })
  return rows(row(webhookSubscriptions).nodes).filter(({ id, uri }) => uri === address && text(id) !== undefined)
}

/** Subscribes to each topic. Shopify deletes subscriptions that failed too often; this creates them again. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const ours = await subscriptionsAt(context, address)
  const missing = TOPICS.filter((topic) => !ours.some((one) => one.topic === topic))
  for (const topic of missing) mutationResult(await graphql(context, CREATE, { topic, uri: address }), 'webhookSubscriptionCreate')
  return { revived: missing.length }
}

/** Deletes our subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  for (const { id } of await subscriptionsAt(context, address))
    mutationResult(await graphql(context, DELETE, { id }), 'webhookSubscriptionDelete')
}
