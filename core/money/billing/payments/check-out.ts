import type { Context } from '../../../context.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { choosePlan } from '../choose.ts'
import { holdSubscription } from '../hold.ts'
import type { NewSubscriptionCheckout } from '../subscriptions.model.ts'
import { listOpen, voidOffer } from '../subscriptions.queries.ts'
import { type Addresses, assertPayable, beginPayment } from './begin.ts'
import { dueOf } from './due.ts'
import { listUnderWay, type PaymentRow } from './payments.queries.ts'

/**
 * Chooses a plan and begins to pay for it; null where nothing is left to pay. A plan that is had once it is paid, and that no page was given
 * for, is not chosen either.
 */
export async function checkOut(
  context: Context,
  store: Store,
  { plan, ...asked }: NewSubscriptionCheckout,
  addresses: Addresses,
): Promise<PaymentRow | null> {
  const { sql } = context
  const wasAsked = await transaction(sql, async (tx) => {
    await holdSubscription(tx, store.id)
    const wasAsked = await isOffered(tx, store.id, plan)
    await choosePlan(tx, store.id, plan, { now: Date.now() })
    await assertPayable(context, tx, store.id, asked)
    return wasAsked
  })
  return beginPayment(context, store, asked, addresses).catch(async (error) => {
    if (!wasAsked) await transaction(sql, (tx) => withdraw(tx, store.id, plan))
    throw error
  })
}

const isOffered = async (sql: Queryable, storeId: string, plan: string) =>
  (await listOpen(sql, storeId, Date.now())).some((invoice) => invoice.plan === plan && invoice.voidAt !== null)

/** Whoever chose the same at the same time may have been given a page for it, or will be. */
async function withdraw(tx: Tx, storeId: string, plan: string): Promise<void> {
  await holdSubscription(tx, storeId)
  const now = Date.now()
  const due = await dueOf(tx, storeId, now)
  const pays = ({ checkoutUrl, askingUntil, amount, currency }: PaymentRow) =>
    (checkoutUrl !== null || (askingUntil !== null && Date.parse(askingUntil) > now)) &&
    currency === due?.currency &&
    decimal(amount) >= due.amount
  if (!(await listUnderWay(tx, storeId)).some(pays)) await voidOffer(tx, storeId, plan)
}
