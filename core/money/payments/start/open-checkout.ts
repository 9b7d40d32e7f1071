import { type Checkout, CheckoutMade } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { serverAddress } from '../../../http/address/server-address.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import { webhookUrlOf } from '../../../integrations/connections/webhook-url.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { relayError } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { applyGatewayEvent } from '../events/apply-gateway-event.ts'
import { nextPollAt } from '../events/poll-schedule.ts'
import { toUnits } from '../gateway/amounts.ts'
import { lockPaymentWithPayable } from '../lock-payment.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRow } from '../payments.model.ts'
import { claimEarlyEvents, findPayment, updatePayment } from '../payments.queries.ts'
import type { ClaimedPayment } from './claim-payment.ts'

const CALL_MS = 20_000
/** Time for which a concurrent request waits for the checkout page. */
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 250

/** Returns a claimed payment once it has a checkout page. Throws errors of the gateway, and `upstream_timeout` after 15 s. */
export async function openCheckout(context: Context, { connection, payment, isMine }: ClaimedPayment): Promise<PaymentRow> {
  if (payment.checkoutUrl !== null) return payment
  return isMine ? requestCheckout(context, connection, payment) : waitForPage(context, payment)
}

/**
 * Waits until a concurrent request has created the checkout page, without a lock. Throws `upstream_error` if that request failed, and
 * `upstream_timeout` after 15 s.
 */
async function waitForPage({ sql }: Context, payment: PaymentRow): Promise<PaymentRow> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(CHECK_EVERY_MS)) {
    const now = invariant(await findPayment(sql, payment), 'A payment that was started')
    if (now.checkoutUrl !== null) return now
    if (now.askingUntil === null) throw now.message === null ? paymentErrors.noCheckout() : relayError('upstream_error', now.message)
  }
  throw paymentErrors.checkoutMissing()
}

async function requestCheckout(context: Context, connection: PaymentConnection, payment: PaymentRow): Promise<PaymentRow> {
  const options = { operation: 'createCheckout', deadlineMs: CALL_MS, schema: CheckoutMade }
  const checkout = await checkoutOf(context, connection, payment)
  const made = await callAdapter(context, connection, (adapter, own) => adapter.createCheckout(own, checkout), options).catch(
    async (error: unknown) => {
      await recordFailure(context, payment, error)
      throw toDomainError(error)
    },
  )
  return transaction(context.sql, (tx) => saveCheckout(context, tx, connection, payment, made))
}

/** Records that creating the checkout failed. A refused payment fails; one without a response can be retried under the same id. */
async function recordFailure(context: Context, payment: PaymentRow, error: unknown) {
  const failure = error instanceof AdapterFailure ? error : null
  const isOver = failure?.reason === 'refused' || failure?.reason === 'unauthorized'
  await transaction(context.sql, async (tx) => {
    const { locked, payment: now } = await lockPaymentWithPayable(context, tx, payment)
    const over = isOver && now.status === 'created' && { status: 'failed' as const, readAt: null }
    const saved = await updatePayment(tx, payment, { askingUntil: null, message: failure?.message ?? null, ...over })
    await locked.onChange?.(saved, null)
  })
}

async function checkoutOf(context: Context, connection: PaymentConnection, payment: PaymentRow): Promise<Checkout> {
  const { path, describe } = context.payables.of(payment.payableKind)
  const { reference, description, customer } = await describe(context.sql, payment)
  const address = `${serverAddress(context)}/v1/${path}/${payment.id}`
  return {
    paymentId: payment.id,
    reference,
    amount: toUnits(decimal(payment.amount), payment.decimals),
    currency: payment.currency,
    description,
    customer,
    language: payment.language,
    returnUrl: `${address}/return`,
    cancelUrl: `${address}/return?given_up=1`,
    webhookUrl: webhookUrlOf(context, connection),
    proofUrl: `${address}/proof`,
  }
}

/**
 * Stores the created checkout. If a concurrent request stored one first, its page is used. Applies gateway events that arrived before this
 * response.
 */
async function saveCheckout(
  context: Context,
  tx: Tx,
  { row }: PaymentConnection,
  payment: PaymentRow,
  made: CheckoutMade,
): Promise<PaymentRow> {
  const { locked, payment: now } = await lockPaymentWithPayable(context, tx, payment)
  if (now.checkoutUrl !== null) return now
  const opened = {
    externalId: now.externalId ?? made.externalId,
    checkoutUrl: made.url,
    expiresAt: parseTime(made.expiresAt),
    directions: made.directions ?? null,
    askingUntil: null,
    message: null,
    ...(now.status === 'created' && { status: 'open' as const }),
  }
  const saved = await updatePayment(tx, payment, opened)
  await updatePayment(tx, payment, { readAt: nextPollAt(saved, Date.now()) })
  await locked.onChange?.(saved, null)
  for (const { news } of await claimEarlyEvents(tx, row, made.externalId, payment.id)) await applyGatewayEvent(context, tx, saved, news)
  return invariant(await findPayment(tx, payment), 'A payment that was started')
}

const parseTime = (text: string | undefined): string | null => {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}
