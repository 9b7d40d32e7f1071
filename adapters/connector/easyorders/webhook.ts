import { type InboundRequest, isRow, isSameSecret, jsonIn, type ShopNews, text } from 'serai/connector'
import type { Context } from './fields.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The secret itself is sent, or a token of ours in the address: it proves who calls, and nothing of what he says. */
const verify = ({ url, headers }: InboundRequest, { credentials }: Context): boolean =>
  isSameSecret(credentials.webhookSecret, headers.secret) ||
  isSameSecret(credentials.callbackToken, new URL(url, 'https://here.invalid').searchParams.get('token'))

/** A new order is told whole, a change of status by the order's id: of both it is read which order it is. */
function parse({ body }: InboundRequest, context: Context): ShopNews[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const id = isRow(said) ? text(said.event_type === undefined ? said.id : said.order_id) : undefined
  if (id !== undefined && UUID.test(id)) return [{ changed: id }]
  context.log('left out what is no news of an order')
  return []
}

export const webhook = { verify, parse }
