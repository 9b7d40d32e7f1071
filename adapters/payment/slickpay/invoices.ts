import { AdapterError, type Checkout, type CheckoutMade, type GatewayEvent, present, text, unreadable, webAddress } from 'serai/payment'
import { call, LABEL, refusalIn } from './api.ts'
import type { Context } from './fields.ts'
import { idIn, invoiceEvent, invoiceIn } from './news.ts'

/** Creates a checkout. Amounts are whole dinars, not centimes. */
export async function createCheckout(context: Context, asked: Checkout): Promise<CheckoutMade> {
  if (asked.currency !== 'DZD')
    throw new AdapterError('refused', `${LABEL} takes Algerian dinars, not ${asked.currency}.`, { code: 'currency' })
  const row = await call(context, 'POST', 'invoices', bodyOf(context, asked))
  const [externalId, url] = [idIn(row), webAddress(row.url)]
  if (externalId !== undefined && url !== undefined) return { externalId, url }
  throw refusalIn(row) ?? unreadable(LABEL, 'no invoice')
}

function bodyOf({ credentials, settings }: Context, asked: Checkout) {
  const { paymentId, reference, amount, description, customer, returnUrl, webhookUrl } = asked
  const secret = text(credentials.webhookSecret)
  return {
    amount,
    url: returnUrl,
    ...namesOf(customer.name),
    phone: customer.phone,
    address: settings.address,
    items: [{ name: reference, price: amount, quantity: 1 }],
    note: description.trim() || reference,
    // The shop pays SlickPay's fee: a share for the payer would raise the invoice above the order.
    fees: 0,
    webhook_url: webhookUrl,
    webhook_meta_data: { paymentId, reference },
    ...present({ email: text(customer.email), account: text(settings.account), webhook_signature: secret }),
  }
}

/** Splits a name in two, as the API requires; a single name is used twice. */
function namesOf(name: string): { firstname: string; lastname: string } {
  const [firstname = '-', ...others] = name.trim().split(/\s+/).filter(Boolean)
  return { firstname, lastname: others.join(' ') || firstname }
}

export async function read(context: Context, externalId: string): Promise<GatewayEvent> {
  const row = await call(context, 'GET', `invoices/${encodeURIComponent(externalId)}`)
  const invoice = invoiceIn(row)
  const isAnother = invoice.id !== undefined && idIn(invoice) !== externalId
  const news = isAnother ? undefined : invoiceEvent({ completed: row.completed, ...invoice })
  if (!news) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return { ...news, externalId }
}

/** Tests the key by listing accounts. Only one account type has that list; a 404 still proves the key. */
export async function testConnection(context: Context) {
  await call(context, 'GET', 'accounts').catch((error: unknown) => {
    if (!(error instanceof AdapterError && error.reason === 'not_found')) throw error
  })
  return { account: `${context.settings.mode} mode` }
}
