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
} from 'serai/connector'
import { graphql, row } from './api.ts'
import type { Context } from './fields.ts'

/** Event sent once the customer has taken or declined upsells, so that the order is complete. */
const TYPE = 'order/confirmed'
const ID = /^[A-Za-z0-9+/_-]{4,100}={0,2}$/

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, signature] = [credentials.clientSecret ?? '', headers['lightfunnels-hmac'] ?? '']
  return secret !== '' && /^[A-Za-z0-9+/]{43}=$/.test(signature) && isHmacSha256(secret, body, base64Bytes(signature))
}

/** Parses a callback. Only the order's id is used: times may be texts such as "3 days ago", and units may lack ids. */
function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const id = isRow(said) ? (text(said.id) ?? text(row(said.node).id)) : undefined
  if (id !== undefined && ID.test(id)) return [{ changed: id }]
  context.log('left out what is no news of an order')
  return []
}

export const webhook = { receive: createShopReceiver({ verify, parse }) }

const LIST = 'query { webhooks { id type url } }'
const CREATE = 'mutation ($node: WebhookInput!) { createWebhook(node: $node) { id } }'
const DELETE = 'mutation ($id: ID!) { deleteWebhook(id: $id) }'

async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const { webhooks } = await graphql(context, LIST, {}, { readsOnly: true })
  return rows(webhooks).filter(({ id, type, url }) => url === address && type === TYPE && text(id) !== undefined)
}

export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const isThere = (await subscriptionsAt(context, address)).length > 0
  if (!isThere) await graphql(context, CREATE, { node: { type: TYPE, url: address, version: 'v2', settings: {} } })
  return { revived: isThere ? 0 : 1 }
}

/** Deletes our subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  for (const { id } of await subscriptionsAt(context, address)) await graphql(context, DELETE, { id })
}
