import {
  AdapterError,
  createShopReceiver,
  type Handed,
  hexBytes,
  type InboundRequest,
  isHmacSha256,
  isRow,
  isSameSecret,
  jsonIn,
  newSecret,
  number,
  present,
  type Row,
  type ShopEvent,
  type Subscribed,
  text,
  word,
} from 'serai/connector'
import { call, readAll, row } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { receive: createShopReceiver({ verify, tokens: acceptTokens, parse }) }

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

/** Verifies a callback: signed with the app's secret, or with the token of its subscription. */
async function verify({ headers, body }: InboundRequest, { credentials }: Context): Promise<boolean> {
  return isSameSecret(credentials.callbackToken, headers.authorization) || isOfApp({ headers, body }, credentials.webhookSecret)
}

/** Verifies the app's signature; only Salla and its partner know the secret. */
async function isOfApp({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>, secret = ''): Promise<boolean> {
  const signature = headers['x-salla-signature'] ?? ''
  if (isSameSecret(secret, headers.authorization)) return true
  return secret !== '' && /^[0-9a-f]{64}$/i.test(signature) && isHmacSha256(secret, body, hexBytes(signature))
}

/**
 * Accepts tokens in easy mode, in which Salla sends them after the owner's consent. Requires the app's signature and the shop that the
 * connection names.
 */
async function acceptTokens(request: InboundRequest, { credentials, settings, log }: Context): Promise<Handed> {
  const said = jsonIn(new TextDecoder().decode(request.body))
  if (!isRow(said) || said.event !== 'app.store.authorize') return null
  const { access_token: access, refresh_token: refresh, expires } = row(said.data)
  const [accessToken, refreshToken, seconds] = [text(access), text(refresh), number(expires)]
  const isOurs = settings.merchant !== '' && word(said.merchant) === settings.merchant
  if (!isOurs || !(await isOfApp(request, credentials.webhookSecret)) || accessToken === undefined || !isSecond(seconds)) {
    log('left out tokens that are not of this shop, or that cannot be read')
    return {}
  }
  return { tokens: { accessToken, ...present({ refreshToken }), expiresAt: new Date(seconds * 1000).toISOString() } }
}

const isSecond = (value: number | undefined): value is number => value !== undefined && value > 0 && value < 1e11

/** Parses a callback. The token proves the sender, not the content, and newer apps receive less, so only the order's id is used. */
function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const said = jsonIn(new TextDecoder().decode(body))
  const [event, id] = isRow(said) ? [said.event, idIn(said)] : []
  if (!isRow(said) || id === undefined || !EVENTS.some((one) => one === event) || !isOurs(context, said)) {
    context.log('left out what is no news of an order')
    return []
  }
  return [event === 'order.deleted' ? { gone: id } : { changed: id }]
}

/** Returns the order's id; status events hold the order in a field of its own. */
function idIn({ data }: Row): string | undefined {
  const { id, order } = row(data)
  const found = word(isRow(order) ? order.id : id)
  return found !== undefined && /^\d{1,20}$/.test(found) ? found : undefined
}

const isOurs = ({ settings }: Context, { merchant }: Row) => !settings.merchant || word(merchant) === settings.merchant

/** Subscribes to each event with our token. Repeating it repairs an existing subscription. */
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

/** Deletes all subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  try {
    await call(context, 'DELETE', 'webhooks/unsubscribe', { query: { url: address } })
  } catch (error) {
    if (!(error instanceof AdapterError) || error.reason !== 'not_found') throw error
  }
}
