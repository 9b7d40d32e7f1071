import {
  createShopReceiver,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  jsonIn,
  newSecret,
  printed,
  readOrderOf,
  type ShopEvent,
  type Subscribed,
} from 'serai/connector'
import type { Sandbox } from './fields.ts'
import { reader, remember } from './store.ts'

export const webhook = { receive: createShopReceiver({ verify, parse }) }

const SIGNATURE = /^[0-9a-f]{64}$/
const EVENTS_MAX = 100
const SUBSCRIPTION = 'subscription'

async function verify({ headers, body }: InboundRequest, { credentials }: Sandbox): Promise<boolean> {
  const signature = headers['x-sandbox-signature'] ?? ''
  const secret = credentials.webhookSecret ?? ''
  return secret !== '' && body.length > 0 && SIGNATURE.test(signature) && isHmacSha256(secret, body, hexBytes(signature))
}

/** Parses `{"order": {…}}` or `{"gone": "id"}`, or a list of them. */
async function parse({ body }: InboundRequest, context: Sandbox): Promise<ShopEvent[]> {
  const events = [jsonIn(new TextDecoder().decode(body))].flat().slice(0, EVENTS_MAX)
  const news = events.flatMap((event) => eventIn(context, event) ?? [])
  for (const { order } of news) if (order) await remember(context, order)
  return news
}

function eventIn(context: Sandbox, event: unknown): ShopEvent | undefined {
  if (!isRow(event)) return undefined
  const read = isRow(event.order) ? readOrderOf(context, event.order, reader) : {}
  const gone = printed(event.gone, 200)
  if (read.order || read.unreadable) return read
  return gone === undefined ? undefined : { gone }
}

export async function subscribe({ storage, credentials }: Sandbox, { address }: { address: string }): Promise<Subscribed> {
  const known = await storage.get(SUBSCRIPTION)
  const wasOff = isRow(known) && known.isOn === false
  await storage.set(SUBSCRIPTION, { address, isOn: true })
  return { revived: wasOff ? 1 : 0, ...(!credentials.webhookSecret && { credentials: { webhookSecret: newSecret() } }) }
}

/** Deletes the subscription. */
export const unsubscribe = ({ storage }: Sandbox): Promise<void> => storage.delete(SUBSCRIPTION)
