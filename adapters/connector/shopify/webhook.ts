import {
  base64Bytes,
  type InboundRequest,
  instant,
  isHmacSha256,
  isRow,
  jsonIn,
  type Row,
  rows,
  type ShopNews,
  type Subscribed,
  text,
  word,
} from 'serai/connector'
import { done, graphql } from './api.ts'
import type { Context } from './fields.ts'
import { orderOf } from './order-of.ts'

export const webhook = { verify, parse }

const TOPICS = ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_CANCELLED', 'ORDERS_DELETE'] as const
const OF_ORDERS = /^orders\/(create|updated|paid|cancelled|delete)$/
const UTC = '+00:00'

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, signature] = [credentials.clientSecret ?? '', headers['x-shopify-hmac-sha256'] ?? '']
  return secret !== '' && /^[A-Za-z0-9+/]{43}=$/.test(signature) && isHmacSha256(secret, body, base64Bytes(signature))
}

function parse({ headers, body }: InboundRequest, context: Context): ShopNews[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const topic = headers['x-shopify-topic'] ?? ''
  const id = isRow(said) ? word(said.id) : undefined
  const order = isRow(said) && OF_ORDERS.test(topic) ? orderIn(said) : undefined
  if (topic === 'orders/delete' && id !== undefined) return [{ gone: id }]
  if (order) return [{ order }]
  context.log('left out what is no news of an order')
  return []
}

const row = (value: unknown): Row => (isRow(value) ? value : {})
const amountIn = (set: unknown): unknown => row(row(set).shop_money).amount

/** An order as callbacks write it. */
function orderIn(said: Row) {
  const [customer, address] = [row(said.customer), row(said.shipping_address)]
  const full = (of: Row) => [of.first_name, of.last_name].filter(text).join(' ')
  return orderOf({
    id: word(said.id),
    name: said.name,
    isCancelled: text(said.cancelled_at) !== undefined,
    fulfilment: said.fulfillment_status,
    words: said.financial_status,
    currency: said.currency,
    total: said.total_price,
    delivery: amountIn(said.total_shipping_price_set),
    names: [full(address), full(customer)],
    phones: [address.phone, said.phone, customer.phone],
    email: said.email ?? customer.email,
    country: address.country_code,
    state: address.province,
    city: address.city,
    street: [address.address1, address.address2, address.zip],
    answers: rows(said.note_attributes).map(({ name, value }) => ({ name, value })),
    items: rows(said.line_items).map((item) => ({
      sku: item.sku,
      name: item.title,
      variant: item.variant_title,
      quantity: item.quantity,
      price: item.price,
    })),
    note: said.note,
    createdAt: instant(said.created_at, UTC),
    updatedAt: instant(said.updated_at, UTC),
  })
}

const LIST = 'query { webhookSubscriptions(first: 100) { nodes { id topic uri } } }'
const CREATE = `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) { webhookSubscription { id } userErrors { message } } }`
const DELETE = 'mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } } }'

async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const { webhookSubscriptions } = await graphql(context, LIST, {}, { readsOnly: true })
  return rows(row(webhookSubscriptions).nodes).filter(({ id, uri }) => uri === address && text(id) !== undefined)
}

/** One subscription of each kind. One that failed too often is deleted there, and made anew here. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const ours = await subscriptionsAt(context, address)
  const missing = TOPICS.filter((topic) => !ours.some((one) => one.topic === topic))
  for (const topic of missing) done(await graphql(context, CREATE, { topic, uri: address }), 'webhookSubscriptionCreate')
  return { revived: missing.length }
}

export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  for (const { id } of await subscriptionsAt(context, address)) done(await graphql(context, DELETE, { id }), 'webhookSubscriptionDelete')
}
