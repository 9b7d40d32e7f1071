import {
  base64Bytes,
  createShopReceiver,
  type InboundRequest,
  isHmacSha256,
  isRow,
  jsonIn,
  newSecret,
  type Row,
  readOrderOf,
  type ShopEvent,
  type Subscribed,
  text,
  word,
} from 'serai/connector'
import { call, pagesOf } from './api.ts'
import type { Context } from './fields.ts'
import { readerOf } from './orders.ts'

export const webhook = { challenges: true, receive: createShopReceiver({ challenge, verify, parse }) } as const

const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const
const PAGE = 100
const PAGES_MAX = 20
const GOES_ON = 'active'

/** Answers the shop's unsigned ping, which it sends when a subscription is created. */
function challenge({ method, headers, body }: InboundRequest) {
  const isForm = method === 'POST' && headers['x-wc-webhook-signature'] === undefined
  if (!isForm || body.length > 100 || !/^webhook_id=\d{1,20}$/.test(new TextDecoder().decode(body))) return null
  return { status: 200, contentType: 'text/plain', body: 'ok' }
}

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, signature] = [credentials.webhookSecret ?? '', headers['x-wc-webhook-signature'] ?? '']
  return secret !== '' && /^[A-Za-z0-9+/]{43}=$/.test(signature) && isHmacSha256(secret, body, base64Bytes(signature))
}

function parse({ headers, body }: InboundRequest, context: Context): ShopEvent[] {
  const row = jsonIn(new TextDecoder().decode(body))
  const topic = headers['x-wc-webhook-topic'] ?? ''
  if (!isRow(row) || !TOPICS.some((one) => one === topic)) return ignore(context, 'left out what is no news of an order')
  const externalId = word(row.id)
  if (topic === 'order.deleted')
    return externalId === undefined ? ignore(context, 'left out an order without a number') : [{ gone: externalId }]
  const read = readOrderOf(context, row, readerOf(context))
  return read.order || read.unreadable ? [read] : ignore(context, 'left out an order that is none yet')
}

function ignore({ log }: Context, words: string): ShopEvent[] {
  log(words)
  return []
}

/** Subscribes to each topic, and makes existing subscriptions active and signed with our secret. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const secret = context.credentials.webhookSecret ?? newSecret()
  const ours = await subscriptionsAt(context, address)
  let revived = 0
  for (const topic of TOPICS) {
    const [kept, ...others] = ours.filter((row) => row.topic === topic)
    for (const { id } of others) await call(context, 'DELETE', `webhooks/${word(id)}`, { query: { force: true } })
    if (!kept) await call(context, 'POST', 'webhooks', { json: { name: `Serai ${topic}`, topic, delivery_url: address, secret } })
    else {
      if (kept.status !== GOES_ON) revived += 1
      await call(context, 'PUT', `webhooks/${word(kept.id)}`, { json: { status: GOES_ON, secret } })
    }
  }
  return { revived, ...(context.credentials.webhookSecret === undefined && { credentials: { webhookSecret: secret } }) }
}

/** Deletes our subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  for (const { id } of await subscriptionsAt(context, address))
    await call(context, 'DELETE', `webhooks/${word(id)}`, { query: { force: true } })
}

async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const found: Row[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await call(context, 'GET', 'webhooks', { query: { page, per_page: PAGE, status: 'all' } })
    const all = Array.isArray(answer.value) ? answer.value.filter(isRow) : []
    found.push(...all.filter((row) => text(row.delivery_url) === address && word(row.id) !== undefined))
    if (page >= pagesOf(answer)) break
  }
  return found
}
