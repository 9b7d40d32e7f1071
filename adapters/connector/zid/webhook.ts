import {
  AdapterError,
  createShopReceiver,
  type InboundRequest,
  isRow,
  isSameSecret,
  jsonIn,
  newSecret,
  type Row,
  rows,
  type ShopEvent,
  type Subscribed,
  toBase64,
  word,
} from 'serai/connector'
import { call, row } from './api.ts'
import type { Context } from './fields.ts'

export const webhook = { receive: createShopReceiver({ signed: false, verify, parse }) }

const EVENTS = ['order.create', 'order.status.update', 'order.payment_status.update'] as const
const NAME = 'serai'

/** Verifies HTTP Basic credentials of the subscription; callbacks are not signed. */
async function verify({ headers }: InboundRequest, { credentials: { webhookSecret } }: Context): Promise<boolean> {
  return webhookSecret !== undefined && isSameSecret(proofOf(webhookSecret), headers.authorization?.replace(/^basic /i, ''))
}

const proofOf = (password: string) => toBase64(new TextEncoder().encode(`${NAME}:${password}`))

/** Parses a callback. Only the order's id is used; a wrapper around the order is not documented. */
function parse({ body }: InboundRequest, context: Context): ShopEvent[] {
  const said = row(jsonIn(new TextDecoder().decode(body)))
  const order = [said, said.order, said.data, said.payload].map(row).find(isOrder)
  if (order) return [{ changed: word(order.id) ?? '' }]
  context.log('left out what is no news of an order')
  return []
}

const isOrder = ({ id, order_status: status }: Row) => isRow(status) && /^\d{1,20}$/.test(word(id) ?? '')

const isOn = ({ active, status, health_status: health }: Row) =>
  active !== false && health !== 'broken' && !['inactive', 'error'].includes(word(status) ?? '')

/** Subscribes to each event. If one is inactive, all are deleted and created again, because none can be reactivated. */
export async function subscribe(context: Context, { address }: { address: string }): Promise<Subscribed> {
  const { webhookSecret } = context.credentials
  const ours = await subscriptionsAt(context, address)
  const running = EVENTS.filter((event) => ours.some((one) => one.event === event && isOn(one)))
  if (webhookSecret !== undefined && running.length === EVENTS.length) return { revived: 0 }
  if (ours.length > 0) await deleteSubscriptions(context)
  const password = webhookSecret ?? newSecret()
  for (const event of EVENTS)
    await call(context, 'POST', 'webhooks', { json: { event, target_url: address, ...subscriberOf(context), username: NAME, password } })
  return { revived: EVENTS.length - running.length, ...(webhookSecret === undefined && { credentials: { webhookSecret: password } }) }
}

/** Deletes our subscriptions of this address. */
export async function unsubscribe(context: Context, { address }: { address: string }): Promise<void> {
  if ((await subscriptionsAt(context, address)).length > 0) await deleteSubscriptions(context)
}

const subscriberOf = ({ settings }: Context) => ({ original_id: Number(settings.applicationId), subscriber: NAME })

async function deleteSubscriptions(context: Context): Promise<void> {
  try {
    await call(context, 'DELETE', 'webhooks', { query: subscriberOf(context) })
  } catch (error) {
    if (!(error instanceof AdapterError) || error.reason !== 'not_found') throw error
  }
}

/** Reads the subscriptions; the wrapper of the list is not documented. */
async function subscriptionsAt(context: Context, address: string): Promise<Row[]> {
  const { value } = await call(context, 'GET', 'webhooks')
  const list = [value, row(value).webhooks, row(value).data].find((one) => Array.isArray(one))
  return rows(list).filter(({ target_url: target }) => target === address)
}
