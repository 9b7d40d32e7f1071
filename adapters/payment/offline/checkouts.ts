import { AdapterError, type Checkout, type CheckoutMade, type CheckoutStatus, type GatewayEvent, type Settlement } from 'serai/payment'
import { currencies } from './currencies.ts'
import { directionsFor } from './directions.ts'
import { type Context, LABEL } from './fields.ts'
import { change, idOf, type Kept, readCheckout, storeNew } from './store.ts'

const DAY_MS = 86_400_000

/** Creates a checkout. The same `paymentId` returns the same checkout. */
export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  if (!currencies.includes(asked.currency)) refuse('currency', `${LABEL} is not taken in ${asked.currency}.`)
  const one = await storeNew(context, await checkoutFor(context, asked))
  if (one.amount !== asked.amount || one.currency !== asked.currency)
    refuse('other_amount', `There is a payment of ${one.amount} ${one.currency} under this name already.`)
  return { externalId: one.externalId, url: asked.proofUrl, expiresAt: one.expiresAt, directions: directionsFor(context, asked) }
}

async function checkoutFor(context: Context, { customer: _, webhookUrl: __, proofUrl: ___, ...asked }: Checkout): Promise<Kept> {
  return {
    ...asked,
    externalId: await idOf(context, asked.paymentId),
    status: 'open',
    expiresAt: new Date(context.now() + Number(context.settings.days) * DAY_MS).toISOString(),
    at: new Date(context.now()).toISOString(),
  }
}

export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const { paymentId, status, currency, at, paid } = (await readCheckout(context, externalId)) ?? throwUnknown(externalId)
  return { externalId, paymentId, status, currency, at, ...(status === 'paid' && paid !== undefined && { amount: paid }) }
}

const closed: readonly CheckoutStatus[] = ['expired', 'failed']

/** Expires an open checkout. Refuses one with a receipt, which a person must review first. */
export async function expire(context: Context, externalId: string): Promise<void> {
  const expired = await change(context, externalId, (one) => {
    if (closed.includes(one.status)) return one
    if (one.status !== 'open') return refuse(one.status, `${externalId} is ${one.status}: it cannot be closed.`)
    return { ...one, status: 'expired', at: new Date(context.now()).toISOString() }
  })
  if (!expired) throwUnknown(externalId)
}

/** Statuses from which each result is allowed: a refusal can be reversed, a payment cannot. */
const from: Readonly<Record<Settlement['status'], readonly CheckoutStatus[]>> = {
  processing: ['open', 'processing', 'failed', 'expired'],
  paid: ['open', 'processing', 'failed', 'expired'],
  failed: ['open', 'processing', 'failed'],
}

/** Records the result of a review: a receipt arrived, the money is there, or it is not. */
export async function recordResult(context: Context, { externalId, status, amount }: Settlement): Promise<void> {
  const settled = await change(context, externalId, (one) => {
    const paid = status === 'paid' ? (amount ?? one.amount) : undefined
    if (one.status === status && one.paid === paid) return one
    if (!from[status].includes(one.status)) refuse(one.status, `${externalId} is ${one.status}: it cannot be said to be ${status}.`)
    return { ...one, status, at: new Date(context.now()).toISOString(), ...(paid !== undefined && { paid }) }
  })
  if (!settled) throwUnknown(externalId)
}

function refuse(code: string, message: string): never {
  throw new AdapterError('refused', message, { code })
}

function throwUnknown(externalId: string): never {
  throw new AdapterError('not_found', `There is no payment ${externalId} by transfer or in cash.`)
}
