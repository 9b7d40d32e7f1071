import {
  AdapterError,
  type Checkout,
  type CheckoutMade,
  type CheckoutStatus,
  type GatewayEvent,
  newSecret,
  type RefundAsked,
  type Refunded,
  withQuery,
} from 'serai/payment'
import { digits, type Sandbox } from './fields.ts'
import { fitsChallenge } from './page.ts'
import { change, idOf, type Kept, readCheckout, storeNew } from './store.ts'

// Prefixes of the customer's name that trigger failures.
const REFUSED = 'FAIL '
const SLOW = 'SLOW '
const SILENT = 'TIMEOUT '
const SLOW_MS = 5_000
const DAY_MS = 86_400_000
/** Maximum refunds that one stored value can hold. */
const REFUNDS_MAX = 200
/** Query parameter of the return address that names the checkout. */
export const RETURNS = 'checkout'
const PAGE_KEY_LETTERS = 32

/** Creates a checkout. The same `paymentId` returns the same checkout. */
export async function createCheckout(context: Sandbox, asked: Checkout): Promise<CheckoutMade> {
  const { name } = asked.customer
  if (name.startsWith(REFUSED)) refuse('rehearsed', 'The sandbox refuses customers whose name begins with FAIL.')
  if (!Object.hasOwn(digits, asked.currency)) refuse('currency', `The sandbox takes no ${asked.currency}.`)
  const fresh = await checkoutFor(context, asked)
  if (!(await fitsChallenge(fresh))) refuse('long_address', 'The addresses to return to are too long for the page of the sandbox.')
  const one = await storeNew(context, fresh)
  if (one.amount !== asked.amount || one.currency !== asked.currency)
    refuse('other_amount', `The sandbox has a checkout of ${one.amount} ${one.currency} under this payment.`)
  if (name.startsWith(SLOW)) await pause(context, SLOW_MS)
  if (name.startsWith(SILENT)) await pause(context)
  return {
    externalId: one.externalId,
    url: withQuery(asked.webhookUrl, { checkout: one.externalId, page: one.pageKey }),
    expiresAt: one.expiresAt,
  }
}

async function checkoutFor(context: Sandbox, asked: Checkout): Promise<Kept> {
  const { paymentId, reference, amount, currency, language } = asked
  const externalId = await idOf(context, 'sbx', paymentId)
  const { outcome, holds } = context.settings
  const bare: Kept = {
    externalId,
    paymentId,
    reference,
    amount,
    currency,
    language,
    doneUrl: returnTo(asked.returnUrl, externalId),
    backUrl: returnTo(asked.cancelUrl, externalId),
    pageKey: newSecret().slice(0, PAGE_KEY_LETTERS),
    proof: newSecret(),
    status: 'open',
    expiresAt: new Date(context.now() + DAY_MS).toISOString(),
    at: new Date(context.now()).toISOString(),
    fee: 0,
    refunds: [],
  }
  if (outcome === 'paid') return paidBy(context, bare, amount, { holds })
  return outcome === 'failed' ? { ...bare, status: 'failed' } : bare
}

/** Adds the checkout's id to the address. Refuses one that is not http(s), because the page's script opens it. */
function returnTo(address: string, externalId: string): string {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return refuse('bad_address', 'The sandbox returns to addresses of the web, https:// or http://.')
  url.searchParams.set(RETURNS, externalId)
  return url.href
}

export function paidBy(context: Sandbox, one: Kept, paid: number, { holds }: { readonly holds: boolean }): Kept {
  const percent = Math.min(100, Math.max(0, context.settings.feePercent))
  const at = new Date(context.now()).toISOString()
  return { ...one, status: holds ? 'authorized' : 'paid', at, paid, fee: holds ? 0 : Math.round((paid * percent) / 100) }
}

export async function read(context: Sandbox, externalId: string): Promise<GatewayEvent> {
  return eventOf((await readCheckout(context, externalId)) ?? throwUnknown(externalId))
}

export function eventOf(one: Kept): GatewayEvent {
  const { externalId, paymentId, status, currency, at, paid, fee, refunds } = one
  const news = { externalId, paymentId, status, currency, at }
  if (paid === undefined) return { ...news, ...(status === 'failed' && { message: 'The sandbox declined the payment.' }) }
  if (status !== 'paid') return { ...news, amount: paid }
  return { ...news, amount: paid, fee, refunded: sumOf(refunds), method: 'sandbox' }
}

const sumOf = (refunds: Kept['refunds']) => refunds.reduce((sum, { amount }) => sum + amount, 0)

export async function capture(context: Sandbox, externalId: string): Promise<GatewayEvent> {
  const captured = await change(context, externalId, (one) => {
    if (one.status === 'paid') return one
    if (one.status !== 'authorized') return refuse('not_held', `The sandbox holds no money of ${externalId}: it is ${one.status}.`)
    return paidBy(context, one, one.paid ?? one.amount, { holds: false })
  })
  return eventOf(captured ?? throwUnknown(externalId))
}

const CLOSED: readonly CheckoutStatus[] = ['expired', 'cancelled', 'failed']

/** Expires a checkout, and releases authorised money. Refuses a paid one. */
export async function expire(context: Sandbox, externalId: string): Promise<void> {
  const expired = await change(context, externalId, (one) => {
    if (CLOSED.includes(one.status)) return one
    if (one.status === 'paid') return refuse('paid', `The sandbox cannot close ${externalId}: it is paid.`)
    const { paid: _, ...unpaid } = one
    return { ...unpaid, status: 'expired', at: new Date(context.now()).toISOString() }
  })
  if (!expired) throwUnknown(externalId)
}

/** Refunds a payment. A repeated `refundId` refunds nothing more. */
export async function refund(context: Sandbox, asked: RefundAsked): Promise<Refunded> {
  const { externalId, refundId, amount, currency } = asked
  const id = await idOf(context, 'sbr', `${externalId}\n${refundId}`)
  const refunded = await change(context, externalId, (one) => {
    const known = one.refunds.find((given) => given.refundId === refundId)
    if (known?.amount === amount) return one
    if (known) return refuse('other_amount', `The sandbox gave back ${known.amount} under this refund.`)
    if (one.status !== 'paid') return refuse('not_paid', `The sandbox has nothing to give back: ${externalId} is ${one.status}.`)
    if (one.currency !== currency) return refuse('other_currency', `The sandbox was paid in ${one.currency}, not in ${currency}.`)
    const left = (one.paid ?? one.amount) - sumOf(one.refunds)
    if (amount > left) return refuse('too_much', `Of ${externalId} ${left} are left to give back.`)
    if (one.refunds.length === REFUNDS_MAX) return refuse('too_many', `The sandbox gave back parts of ${externalId} too often.`)
    return { ...one, refunds: [...one.refunds, { refundId, amount, externalId: id, at: new Date(context.now()).toISOString() }] }
  })
  if (!refunded) throwUnknown(externalId)
  if (asked.reason.startsWith(SILENT)) await pause(context)
  return { externalId: id, status: 'done' }
}

function refuse(code: string, message: string): never {
  throw new AdapterError('refused', message, { code })
}

function throwUnknown(externalId: string): never {
  throw new AdapterError('not_found', `The sandbox has no checkout ${externalId}.`)
}

/** Waits `ms`, or for ever without it; rejects when the caller aborts. */
function pause({ signal }: Sandbox, ms?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new AdapterError('unavailable', 'The sandbox did not answer.'))
    if (signal.aborted) return gone()
    signal.addEventListener('abort', gone, { once: true })
    if (ms !== undefined) setTimeout(resolve, ms)
  })
}
