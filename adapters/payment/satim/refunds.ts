import { AdapterError, type PaymentNews, type RefundAsked, type Refunded } from 'serai/payment'
import { call, codeOf, LABEL, OK, problemIn } from './api.ts'
import { read } from './checkouts.ts'
import { type Context, languageOf } from './fields.ts'
import { noteGiven } from './given.ts'

/** SATIM gives a refund no name, and knows no key against giving twice. */
export async function refund(context: Context, asked: RefundAsked): Promise<Refunded> {
  const { externalId, refundId, amount } = asked
  assertLeft(await orderOf(context, externalId), amount)
  const row = await call(context, 'refund.do', { orderId: externalId, amount, language: languageOf(context) })
  if (codeOf(row) !== OK) throw problemIn(row)
  await noteGiven(context, asked)
  return { externalId: refundId, status: 'done' }
}

/** Nothing was asked for yet, so whatever became of the reading, nothing can have been given back. */
const orderOf = (context: Context, externalId: string): Promise<PaymentNews> =>
  read(context, externalId).catch((error: unknown) => {
    if (!(error instanceof AdapterError) || !UNSURE.includes(error.reason)) throw error
    throw new AdapterError('refused', `Nothing was given back. ${error.message}`, error.upstream, { cause: error })
  })

const UNSURE: readonly AdapterError['reason'][] = ['unavailable', 'rate_limited']

/** Its codes do not tell a refund that may not be from one that failed: what may not be is not asked for. */
function assertLeft({ status, amount = 0, refunded = 0 }: PaymentNews, asked: number): void {
  const left = status === 'paid' ? amount - refunded : 0
  if (asked <= left) return
  throw new AdapterError('refused', `Of this order ${left / 100} DZD are left to give back: ${LABEL} says that it is ${status}.`, {
    code: 'too_much',
  })
}
