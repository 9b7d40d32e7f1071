import { createShopReceiver, type InboundRequest, isRow, isSameSecret, jsonIn, type ShopEvent, text } from 'serai/connector'
import type { Context } from './fields.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Verifies the secret, or our token in the address. This proves the sender, not the content. */
const verify = ({ url, headers }: InboundRequest, { credentials }: Context): boolean =>
  isSameSecret(credentials.webhookSecret, headers.secret) ||
  isSameSecret(credentials.callbackToken, new URL(url, 'https://here.invalid').searchParams.get('token'))

/** Parses a callback: a whole new order, or an order id with a new status. Only the id is used. */
function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const id = isRow(said) ? text(said.event_type === undefined ? said.id : said.order_id) : undefined
  if (id !== undefined && UUID.test(id)) return [{ changed: id }]
  context.log('left out what is no news of an order')
  return []
}

export const webhook = { receive: createShopReceiver({ signed: false, verify, parse }) }
