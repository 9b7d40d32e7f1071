import {
  createShopReceiver,
  hexBytes,
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
import { call } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { receive: createShopReceiver({ verify, parse }) }

/** The platform's only order event. */
const EVENT = 'order.create'
const PAYLOAD_MAX = 128 * 1024
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, proof] = [credentials.clientSecret ?? '', headers['x-youcan-signature'] ?? '']
  if (secret === '' || !/^[0-9a-f]{64}$/i.test(proof)) return false
  const signature = hexBytes(proof)
  if (await isHmacSha256(secret, body, signature)) return true
  // The signature covers the payload as PHP encodes it. Payloads longer than any order are rejected before they are encoded.
  if (body.length > PAYLOAD_MAX) return false
  const said = jsonIn(new TextDecoder().decode(body))
  return said !== undefined && isHmacSha256(secret, asPhpWrites(said), signature)
}

/** Encodes JSON as PHP's `json_encode` does: with `\/`, and non-ASCII characters escaped. */
export const asPhpWrites = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]+/g, escaped)

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function escaped(letters: string): string {
  let written = ''
  for (let at = 0; at < letters.length; at += 1) {
    const code = letters.charCodeAt(at)
    written += `\\u${HEX[code >> 8]}${HEX[code & 255]}`
  }
  return written
}

/** Parses a callback. Only the order's id is used, because the rest is not documented. */
function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const id = isRow(said) ? (text(said.id) ?? text(isRow(said.order) ? said.order.id : undefined)) : undefined
  if (id !== undefined && UUID.test(id)) return [{ changed: id }]
  context.log('left out what is no news of an order')
  return []
}

/** Subscribes once to this address. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const isThere = (await subscriptionsAt(context, address)).length > 0
  if (!isThere) await call(context, 'POST', 'resthooks/subscribe', { json: { event: EVENT, target_url: address } })
  return { revived: isThere ? 0 : 1 }
}

/** Deletes our subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  for (const { id } of await subscriptionsAt(context, address)) await call(context, 'POST', `resthooks/unsubscribe/${text(id)}`)
}

async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const { value } = await call(context, 'GET', 'resthooks/list')
  const listed = rows(isRow(value) && value.data !== undefined ? value.data : value)
  return listed.filter((one) => one.event === EVENT && one.target_url === address && text(one.id) !== undefined)
}
