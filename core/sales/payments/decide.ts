import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors.ts'
import { decimal, parseDecimal } from '../../lib/decimal.ts'
import { asApiError } from '../../shop/connections/call.ts'
import { toUnits } from './amounts.ts'
import { byHandOf, tellGateway } from './by-hand.ts'
import { applyNews } from './news.ts'
import type { PaymentRow } from './payments.queries.ts'
import type { PaymentDecision } from './proofs.model.ts'
import { moves } from './statuses.ts'

/**
 * A person says whether money is there that no gateway sees, or that none has told of in time. A refusal can be taken back; what is there
 * stays there. Throws `invalid_transition`, `amount_not_payable`, and what the gateway refused.
 */
export async function decide(context: Context, payment: PaymentRow, { status, amount, reason }: PaymentDecision): Promise<void> {
  const connection = await byHandOf(context, payment)
  const { externalId } = payment
  if ((!connection || externalId === null) && payment.concern !== 'outcome_unknown')
    throw new ApiError(
      'invalid_transition',
      'What became of this payment its gateway says; sync asks it. Here only what people find is said.',
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
  await transaction(context.sql, (tx) => applyNews(tx, payment, news))
}
