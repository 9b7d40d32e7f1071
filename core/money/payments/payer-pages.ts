import type { Context } from '../../context.ts'
import { type Language, redirectTo } from '../../http/pages/notice-page.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { pollForPayer } from './events/poll-payment.ts'
import { payerOutcomeOf, receiptPage, receiptUploadedPage, returnPage } from './pages.ts'
import type { PayableKind, PaymentRow } from './payments.model.ts'
import { findPaymentOfKind } from './payments.queries.ts'
import { canUploadReceipt, findReceiptPayment, uploadReceipt } from './receipts/upload-receipt.ts'

/** Payment that a public page shows. Its language applies unless the payer's browser prefers one. */
export interface PayerPage {
  readonly kind: PayableKind
  readonly id: string
  readonly language?: Language | undefined
}

/** Answers a payer who returns from the gateway: redirects to the page that was set, or shows the outcome. Throws `not_found`. */
export async function showOutcome(context: Context, { kind, id, language }: PayerPage): Promise<Response> {
  const found = await findPaymentOfKind(context.sql, kind, id)
  if (!found) throw notFound('The payment')
  const payment = await pollForPayer(context, found)
  if (payment.returnTo === null) return returnPage(payment, ...(await headOf(context, payment, language)))
  const url = new URL(payment.returnTo)
  const { idParameter } = context.payables.of(kind)
  url.searchParams.set('payment', payment.id)
  if (idParameter) url.searchParams.set(idParameter, payment.payableId)
  url.searchParams.set('outcome', payerOutcomeOf(payment))
  return redirectTo(url.href)
}

/** Shows payment instructions with a form for the receipt. Redirects to the outcome when the payment has ended. Throws `not_found`. */
export async function showReceiptForm(context: Context, { kind, id, language }: PayerPage): Promise<Response> {
  const payment = await findReceiptPayment(context, kind, id)
  const address = `/v1/${context.payables.of(kind).path}/${id}`
  if (!canUploadReceipt(payment)) return redirectTo(`${address}/return`)
  const [title, spoken] = await headOf(context, payment, language)
  return receiptPage(payment, title, `${address}/proof`, spoken)
}

/** Stores a receipt that a payer sent, and confirms it. Throws errors of {@link uploadReceipt}. */
export async function receiveReceipt(
  context: Context,
  { kind, id, language }: PayerPage,
  request: Request,
  address: string,
): Promise<Response> {
  const payment = await uploadReceipt(context, kind, id, request, address)
  return receiptUploadedPage(payment, ...(await headOf(context, payment, language)))
}

/** Returns the title of a payment's pages and their language. */
async function headOf(context: Context, payment: PaymentRow, language: Language | undefined): Promise<readonly [string, Language]> {
  const { titles, describe } = context.payables.of(payment.payableKind)
  const spoken = language ?? payment.language
  return [`${titles[spoken]} ${(await describe(context.sql, payment)).label}`, spoken]
}
