import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { choosePlan, paymentRequired } from '../choose.ts'
import { statuses } from '../statuses.ts'
import { listOpen, lockSubscription } from '../subscriptions.queries.ts'
import { readUnderWay } from './poll-payment.ts'

/** What was paid by now counts, and what was cancelled goes on. Throws `payment_required` while something that is due is not paid. */
export async function activate(context: Context, storeId: string): Promise<void> {
  await readUnderWay(context, storeId)
  await transaction(context.sql, async (tx) => {
    const now = Date.now()
    const sub = await lockSubscription(tx, storeId)
    if ((await listOpen(tx, storeId, now)).some(({ dueAt }) => Date.parse(dueAt) <= now)) throw paymentRequired()
    if (statuses[sub.status].hasPlan) await choosePlan(tx, storeId, sub.plan, { now })
  })
}
