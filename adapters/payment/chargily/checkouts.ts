import {
  AdapterError,
  type Checkout,
  type CheckoutMade,
  type GatewayEvent,
  present,
  text,
  unreadable,
  webAddress,
  word,
} from 'serai/payment'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { checkoutEvent, modeIn, statusOf } from './news.ts'

/** Creates a checkout. Amounts are whole dinars, not centimes. */
export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  if (asked.currency !== 'DZD')
    throw new AdapterError('refused', `${LABEL} takes Algerian dinars, not ${asked.currency}.`, { code: 'currency' })
  const row = await call(context, 'POST', 'checkouts', { json: bodyOf(context, asked), makes: true })
  const [externalId, url] = [word(row.id), webAddress(row.checkout_url)]
  if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no checkout')
  return { externalId, url }
}

function bodyOf({ settings }: Context, asked: Checkout) {
  const { paymentId, reference, amount, description, language, returnUrl, cancelUrl, webhookUrl } = asked
  return {
    amount,
    currency: 'dzd',
    success_url: returnUrl,
    failure_url: cancelUrl,
    webhook_endpoint: webhookUrl,
    locale: language,
    description: description.trim() || reference,
    metadata: { paymentId, reference },
    ...present({ payment_method: text(settings.paymentMethod), chargily_pay_fees_allocation: text(settings.feesAllocation) }),
  }
}

const pathOf = (externalId: string) => `checkouts/${encodeURIComponent(externalId)}`

export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const row = await call(context, 'GET', pathOf(externalId))
  if ((modeIn(row) ?? context.settings.mode) !== context.settings.mode)
    throw unreadable(LABEL, `${externalId} is of the ${modeIn(row)} mode`)
  const status = statusOf(row.status)
  const news = status && checkoutEvent(context, row, status)
  if (news?.externalId !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return news
}

const closed: readonly GatewayEvent['status'][] = ['expired', 'cancelled', 'failed']

/** Expires a checkout, then reads it to confirm: the answer for one that is closed already is not documented. */
export async function expire(context: Context, externalId: string): Promise<void> {
  const refusal = await call(context, 'POST', `${pathOf(externalId)}/expire`).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AdapterError && error.reason === 'refused') return error
      throw error
    },
  )
  const { status } = await read(context, externalId)
  if (closed.includes(status)) return
  throw refusal ?? new AdapterError('refused', `${LABEL} did not close ${externalId}: it is ${status}.`, { code: status })
}
