import {
  AdapterError,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  isSameSecret,
  jsonIn,
  newSecret,
  type Row,
  type ShopNews,
  type Subscribed,
  word,
} from 'serai/connector'
import { call, readAll, row } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { verify, parse }

const EVENTS = [
  'order.created',
  'order.updated',
  'order.status.updated',
  'order.cancelled',
  'order.refunded',
  'order.deleted',
  'order.products.updated',
  'order.total.price.updated',
] as const

/** Signed with the app's secret, or under a token: the app's own, or the one that these callbacks were asked for with. */
async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  const { webhookSecret = '', callbackToken } = credentials
  const [signature, token] = [headers['x-salla-signature'] ?? '', headers.authorization]
  if (isSameSecret(callbackToken, token) || isSameSecret(webhookSecret, token)) return true
  return webhookSecret !== '' && /^[0-9a-f]{64}$/i.test(signature) && isHmacSha256(webhookSecret, body, hexBytes(signature))
}

/** A token proves who calls and not what he says, and newer apps are told less: only which order it is is taken from it. */
function parse({ body }: InboundRequest, context: Context): ShopNews[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const [event, id] = isRow(said) ? [said.event, idIn(said)] : []
  if (!isRow(said) || id === undefined || !EVENTS.some((one) => one === event) || !isOurs(context, said)) {
    context.log('left out what is no news of an order')
    return []
  }
  return [event === 'order.deleted' ? { gone: id } : { changed: id }]
}

/** News of a status hold the order beside it. */
function idIn({ data }: Row): string | undefined {
  const { id, order } = row(data)
  const found = word(isRow(order) ? order.id : id)
  return found !== undefined && /^\d{1,20}$/.test(found) ? found : undefined
}

const isOurs = ({ settings }: Context, { merchant }: Row) => !settings.merchant || word(merchant) === settings.merchant

/** One subscription of each kind, under our token. One that is there already is put right by being asked for again. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const { callbackToken } = context.credentials
  const token = callbackToken ?? newSecret()
  const ours = (await readAll(context, 'webhooks')).filter(({ url }) => url === address)
  const missing = EVENTS.filter((event) => !ours.some((one) => one.event === event && row(one.headers).Authorization === token))
  const headers = [{ key: 'Authorization', value: token }]
  for (const event of missing)
    await call(context, 'POST', 'webhooks/subscribe', { json: { name: `Serai ${event}`, event, url: address, version: 2, headers } })
  return { revived: missing.length, ...(callbackToken === undefined && { credentials: { callbackToken: token } }) }
}

/** All that call this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  try {
    await call(context, 'DELETE', 'webhooks/unsubscribe', { query: { url: address } })
  } catch (error) {
    if (!(error instanceof AdapterError) || error.reason !== 'not_found') throw error
  }
}
