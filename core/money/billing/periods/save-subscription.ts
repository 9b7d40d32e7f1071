import type { Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { presentSubscription } from '../present.ts'
import { statusRules } from '../statuses.ts'
import {
  findPlanInForce,
  lockStore,
  lockSubscription,
  type SubscriptionChange,
  type SubscriptionRow,
  updateSubscription,
} from '../subscriptions.queries.ts'
import { GRACE_MS, NOTICE_MS } from './periods.ts'

const PUBLISHED_FIELDS = ['plan', 'status', 'periodStart', 'periodEnd', 'nextPlan', 'cancels'] as const

/**
 * Updates a locked subscription. If a published field changed, records it in the audit log and emits `subscription.updated`. Throws
 * `invalid_transition` for a status that cannot follow.
 */
export async function saveSubscription(tx: Tx, before: SubscriptionRow, change: SubscriptionChange, now: number): Promise<SubscriptionRow> {
  const { storeId, status } = before
  const wanted = { ...before, ...change }
  if (wanted.status !== status && !statusRules[status].next.includes(wanted.status))
    throw billingErrors.wrongStatus({ status, wanted: wanted.status })
  const saved = await updateSubscription(tx, storeId, { ...change, lookAt: nextProcessing(wanted, now) })
  if (PUBLISHED_FIELDS.every((field) => saved[field] === before[field])) return saved
  await recordAudit(tx, { storeId }, { what: 'subscription.changed', thing: storeId, before, after: saved })
  const store = await findStore(tx, storeId)
  if (!store) return saved
  const data = { subscription: presentSubscription(saved, await findPlanInForce(tx, storeId)) }
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'subscription.updated', data }])
  return saved
}

/**
 * Returns the time of the next processing: the renewal invoice, the end of the period, or the end of the grace period. Null without a
 * period.
 */
function nextProcessing({ status, periodEnd }: SubscriptionRow, now: number): string | null {
  if (periodEnd === null || !statusRules[status].hasPlan) return null
  const end = Date.parse(periodEnd)
  const next = [end - NOTICE_MS, end].find((moment) => moment > now) ?? end + GRACE_MS
  return new Date(next).toISOString()
}

/** Locks a store against deletion and its subscription, until the transaction ends. Throws `not_found` if the store was deleted. */
export async function lockStoreSubscription(tx: Tx, storeId: string): Promise<SubscriptionRow> {
  if (!(await lockStore(tx, storeId))) throw notFound('The store')
  return lockSubscription(tx, storeId)
}
