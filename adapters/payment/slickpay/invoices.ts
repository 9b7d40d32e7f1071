import { AdapterError, type Checkout, type CheckoutMade, type PaymentNews, present, text, unreadable, webAddress } from 'serai/payment'
import { call, LABEL, refusalIn } from './api.ts'
import type { Context } from './fields.ts'
import { idIn, invoiceIn, newsOf } from './news.ts'

/** Amounts are whole dinars here, not centimes. */
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
    // The shop bears what SlickPay keeps: with any share of it on the payer, an invoice would come to more than its order.
    fees: 0,
    webhook_url: webhookUrl,
    webhook_meta_data: { paymentId, reference },
    ...present({ email: text(customer.email), account: text(settings.account), webhook_signature: secret }),
  }
}

/** Both are asked for; whoever has one name has it twice. */
function namesOf(name: string): { firstname: string; lastname: string } {
  const [firstname = '-', ...others] = name.trim().split(/\s+/).filter(Boolean)
  return { firstname, lastname: others.join(' ') || firstname }
}

export async function read(context: Context, externalId: string): Promise<PaymentNews> {
  const row = await call(context, 'GET', `invoices/${encodeURIComponent(externalId)}`)
  const invoice = invoiceIn(row)
  const isAnother = invoice.id !== undefined && idIn(invoice) !== externalId
  const news = isAnother ? undefined : newsOf({ completed: row.completed, ...invoice })
  if (!news) throw unreadable(LABEL, `nothing that is known of ${externalId}`)
  return { ...news, externalId }
}

/** The list of accounts is known of one kind of them; where there is none, the key was taken all the same. */
export async function testConnection(context: Context) {
  await call(context, 'GET', 'accounts').catch((error: unknown) => {
    if (!(error instanceof AdapterError && error.reason === 'not_found')) throw error
  })
  return { account: `${context.settings.mode} mode` }
}
