import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { present } from '../present.ts'
import { statuses } from '../statuses.ts'
import { findPlanInForce, type SubscriptionRow, type SubscriptionValues, updateSubscription } from '../subscriptions.queries.ts'
import { GRACE_MS, NOTICE_MS } from './periods.ts'

const TOLD = ['plan', 'status', 'periodStart', 'periodEnd', 'nextPlan', 'cancels'] as const

/** Writes down what became of a subscription that is held, and tells of it. Throws `invalid_transition` where that cannot follow. */
export async function keep(tx: Tx, before: SubscriptionRow, change: SubscriptionValues, now: number): Promise<SubscriptionRow> {
  const { storeId, status } = before
  const wanted = { ...before, ...change }
  if (wanted.status !== status && !statuses[status].next.includes(wanted.status))
    throw new ApiError('invalid_transition', `The subscription is ${status}: it cannot be ${wanted.status} next.`)
  const kept = await updateSubscription(tx, storeId, { ...change, lookAt: nextLook(wanted, now) })
  if (TOLD.every((field) => kept[field] === before[field])) return kept
  await recordAudit(tx, { storeId }, { what: 'subscription.changed', thing: storeId, before, after: kept })
  const store = await findStore(tx, storeId)
  if (!store) return kept
  const data = { subscription: present(kept, await findPlanInForce(tx, storeId)) }
  await emitWebhook(tx, [{ projectId: store.projectId, storeId, type: 'subscription.updated', data }])
  return kept
}

/** When the next thing happens to it by itself: its renewal is asked for, its period ends, nobody paid. */
function nextLook({ status, periodEnd }: SubscriptionRow, now: number): string | null {
  if (periodEnd === null || !statuses[status].hasPlan) return null
  const end = Date.parse(periodEnd)
  const next = [end - NOTICE_MS, end].find((moment) => moment > now) ?? end + GRACE_MS
  return new Date(next).toISOString()
}
