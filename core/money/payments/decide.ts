import type { PaymentNews } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { asApiError } from '../../integrations/connections/calls/call.ts'
import { decimal, parseDecimal } from '../../lib/money/decimal.ts'
import { byHandOf, tellGateway } from './by-hand.ts'
import { toUnits } from './gateway/amounts.ts'
import type { AtGateway } from './payments.model.ts'
import type { PaymentDecision } from './receipts/proofs.model.ts'
import { moves } from './statuses.ts'

interface Deciding {
  /** No gateway has told in time: a person who looked there may say it. */
  readonly isUnknown?: boolean
  apply(tx: Tx, news: PaymentNews): Promise<unknown>
}

/**
 * A person says whether money is there that no gateway sees, or that none has told of in time. A refusal can be taken back; what is there
 * stays there. Throws `invalid_transition`, `amount_not_payable`, and what the gateway refused.
 */
export async function decide(
  context: Context,
  payment: AtGateway,
  { status, amount, reason }: PaymentDecision,
  { isUnknown = false, apply }: Deciding,
): Promise<void> {
  const connection = await byHandOf(context, payment)
  const { externalId } = payment
  if ((!connection || externalId === null) && !isUnknown)
    throw new ApiError(
      'invalid_transition',
      'What became of this payment its gateway says, when it is asked. Here only what people find is said.',
    )
  if (!moves[payment.status].includes(status))
    throw new ApiError('invalid_transition', `The payment is ${payment.status}: it cannot be said to be ${status}.`)
  const found = amount === undefined ? decimal(payment.amount) : parseDecimal(amount)
  if (found === null || (status === 'failed' && amount !== undefined))
    throw new ApiError('amount_not_payable', 'Give an amount only where money is there.')
  const paid = status === 'paid' ? { amount: toUnits(found, payment.decimals) } : {}
  const at = externalId === null ? {} : { externalId }
  if (connection && externalId !== null)
    await tellGateway(context, connection, { externalId, status, ...paid }).catch((error) => Promise.reject(asApiError(error)))
  const news = { ...at, status, currency: payment.currency, at: new Date().toISOString(), ...(reason && { message: reason }), ...paid }
  await transaction(context.sql, (tx) => apply(tx, news))
}
