import { AdapterError, type GatewayEvent, type RefundAsked, type Refunded } from 'serai/payment'
import { call, codeOf, LABEL, OK, problemIn } from './api.ts'
import { read } from './checkouts.ts'
import { type Context, languageOf } from './fields.ts'
import { noteRefund } from './refund-notes.ts'

/** Refunds a payment. SATIM gives refunds no id, and has no idempotency key. */
export async function refund(context: Context, asked: RefundAsked): Promise<Refunded> {
  const { externalId, refundId, amount } = asked
  assertLeft(await orderOf(context, externalId), amount)
  const row = await call(context, 'refund.do', { orderId: externalId, amount, language: languageOf(context) })
  if (codeOf(row) !== OK) throw problemIn(row)
  await noteRefund(context, asked)
  return { externalId: refundId, status: 'done' }
}

/** Reads the order before the refund. A failure here proves that nothing was refunded. */
const orderOf = (context: Context, externalId: string): Promise<GatewayEvent> =>
  read(context, externalId).catch((error: unknown) => {
    if (!(error instanceof AdapterError) || !UNSURE.includes(error.reason)) throw error
    throw new AdapterError('refused', `Nothing was given back. ${error.message}`, error.upstream, { cause: error })
  })

const UNSURE: readonly AdapterError['reason'][] = ['unavailable', 'rate_limited']

/** Throws unless enough money is left. SATIM's error codes do not tell a forbidden refund from a failed one. */
function assertLeft({ status, amount = 0, refunded = 0 }: GatewayEvent, asked: number): void {
  const left = status === 'paid' ? amount - refunded : 0
  if (asked <= left) return
  throw new AdapterError('refused', `Of this order ${left / 100} DZD are left to give back: ${LABEL} says that it is ${status}.`, {
    code: 'too_much',
  })
}
