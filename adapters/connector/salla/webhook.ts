import {
  AdapterError,
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
  type ShopNews,
  type Subscribed,
  text,
  word,
} from 'serai/connector'
import { call, readAll, row } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { verify, parse, tokens }

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
  return isSameSecret(credentials.callbackToken, headers.authorization) || isOfApp({ headers, body }, credentials.webhookSecret)
}

/** The app's secret is known to Salla and its partner alone. */
async function isOfApp({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>, secret = ''): Promise<boolean> {
  const signature = headers['x-salla-signature'] ?? ''
  if (isSameSecret(secret, headers.authorization)) return true
  return secret !== '' && /^[0-9a-f]{64}$/i.test(signature) && isHmacSha256(secret, body, hexBytes(signature))
}

/** Easy mode: the owner says yes at Salla, which sends the shop's tokens. Only those of the shop that is named here, and under the app's own proof. */
async function tokens(request: InboundRequest, { credentials, settings, log }: Context): Promise<Handed> {
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
