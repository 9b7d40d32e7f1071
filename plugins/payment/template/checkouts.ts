import {
  AdapterError,
  ask,
  type Checkout,
  type CheckoutMade,
  type GatewayEvent,
  isRow,
  problemOf,
  type Query,
  type RefundAsked,
  type Refunded,
  type Row,
  text,
  unreadable,
  webAddress,
} from 'serai/payment'
import { type Context, label } from './fields.ts'
import { newsOf } from './news.ts'

const root = 'https://api.example.com/v1'
const currencies = ['DZD', 'EUR']

interface Asked {
  readonly query?: Query
  readonly json?: unknown
  /** Sends the idempotency key: a repeated request does nothing more. */
  readonly key?: string
  /** Marks a call that creates something: after a 404 its outcome is unknown. */
  readonly makes?: boolean
}

/** Makes one call and returns the object of the answer. Throws by the gateway's meaning of any other answer. */
export async function call(context: Context, method: 'GET' | 'POST', path: string, { query, json, key, makes }: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.token}`, ...(key !== undefined && { 'idempotency-key': key }) }
  const answer = await ask(context, label, `${root}/${path}`, {
    method,
    headers,
    ...(query && { query }),
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, label, answer, { method: makes ? 'POST' : 'GET' })
  if (!isRow(answer.value)) throw unreadable(label, 'no object')
  return answer.value
}

const pathOf = (externalId: string) => `checkouts/${encodeURIComponent(externalId)}`

/** Creates a checkout under an idempotency key, and returns its address. */
export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  const { paymentId, reference, amount, currency, description, language, returnUrl, cancelUrl, webhookUrl } = asked
  if (!currencies.includes(currency)) throw new AdapterError('refused', `${label} takes no ${currency}.`, { code: 'currency' })
  const json = { merchantId: paymentId, reference, amount, currency, description, language, returnUrl, cancelUrl, webhookUrl }
  const row = await call(context, 'POST', 'checkouts', { json, makes: true })
  const [externalId, url] = [text(row.id), webAddress(row.url)]
  // An unreadable answer leaves the outcome unknown: the server asks again.
  if (externalId === undefined || url === undefined) throw unreadable(label, 'no checkout')
  return { externalId, url }
}

/** Reads the current state of a checkout. */
export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const news = newsOf(await call(context, 'GET', pathOf(externalId)))
  if (news?.externalId !== externalId) throw unreadable(label, `nothing that is known of ${externalId}`)
  return news
}

/** Closes a checkout, so that it can no longer be paid. */
export async function expire(context: Context, externalId: string): Promise<void> {
  await call(context, 'POST', `${pathOf(externalId)}/close`)
}

/** Meanings of the gateway's refund statuses. An unknown one is never guessed. */
const refundStates: Readonly<Record<string, Refunded['status']>> = { waiting: 'pending', sent: 'done', rejected: 'failed' }

/** Refunds a payment in whole or in part under an idempotency key. */
export async function refund(context: Context, { externalId, refundId, amount, currency }: RefundAsked): Promise<Refunded> {
  const row = await call(context, 'POST', `${pathOf(externalId)}/refunds`, { json: { amount, currency }, key: refundId })
  const [id, state] = [text(row.id), text(row.state)]
  const status = state !== undefined && Object.hasOwn(refundStates, state) ? refundStates[state] : undefined
  if (id === undefined || status === undefined) throw unreadable(label, 'no refund')
  return { externalId: id, status }
}
