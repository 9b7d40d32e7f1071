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
import { call } from './api.ts'
import type { Context } from './fields.ts'
import { reader } from './orders.ts'

/** Verifies and reads callbacks of the platform. */
export const webhook = { receive: createShopReceiver({ verify, parse }) }

async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const [secret, signature] = [credentials.webhookSecret ?? '', headers['x-example-signature'] ?? '']
  return secret !== '' && /^[0-9a-f]{64}$/.test(signature) && isHmacSha256(secret, body, hexBytes(signature))
}

function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const row = jsonIn(new TextDecoder().decode(body))
  const read = isRow(row) && row.items !== undefined ? readOrderOf(context, row, reader) : {}
  const gone = isRow(row) ? printed(row.deleted, 200) : undefined
  if (read.order || read.unreadable) return [read]
  if (gone !== undefined) return [{ gone }]
  context.log('left out what is no news of an order')
  return []
}

/** Registers our callback address. The platform has one address for each shop; registering again enables it again. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const secret = context.credentials.webhookSecret ?? newSecret()
  const { value } = await call(context, 'PUT', 'hook', { json: { address, secret } })
  const revived = isRow(value) && value.wasOff === true ? 1 : 0
  return { revived, ...(context.credentials.webhookSecret === undefined && { credentials: { webhookSecret: secret } }) }
}

/** Removes our callback address from the shop. */
export async function unsubscribe(context: Context): Promise<void> {
  await call(context, 'DELETE', 'hook')
}
