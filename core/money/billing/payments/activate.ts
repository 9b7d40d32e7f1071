import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { choosePlan, paymentRequired } from '../choose.ts'
import { statuses } from '../statuses.ts'
import { listOpen, lockSubscription } from '../subscriptions.queries.ts'
import { readUnderWay } from './poll-payment.ts'

/** Polls payments under way, then resumes a cancelled subscription. Throws `payment_required` while an invoice is overdue. */
export async function activate(context: Context, storeId: string): Promise<void> {
  await readUnderWay(context, storeId)
  await transaction(context.sql, async (tx) => {
    const now = Date.now()
    const sub = await lockSubscription(tx, storeId)
    if ((await listOpen(tx, storeId, now)).some(({ dueAt }) => Date.parse(dueAt) <= now)) throw paymentRequired()
    if (statuses[sub.status].hasPlan) await choosePlan(tx, storeId, sub.plan, { now })
  })
}
