import type { Context } from '../../context.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { RulesRunResult } from './ads.model.ts'
import { insertEvent, listMatchingRules, type MatchingRule } from './events/events.queries.ts'
import { maxEventAgeOfDays, requestEventSend } from './events/send-events.ts'

type OrderResult = RulesRunResult['orders'][number]

const ORDERS_AT_ONCE = 10

/**
 * Runs the store's rules for orders in their present status and enqueues the sending. Skips events that are recorded already and those that
 * are too old.
 */
export async function runRules(context: Context, store: Store, orderIds: readonly string[]): Promise<RulesRunResult> {
  const orders: OrderResult[] = []
  const found = await mapConcurrent(orderIds, ORDERS_AT_ONCE, async (orderId) => {
    const rules = await listMatchingRules(context.sql, store.id, orderId)
    if (!rules) throw notFound(`The order ${orderId}`)
    return { orderId, rules }
  })
  for (const { orderId, rules } of found) {
    const events: OrderResult['events'] = []
    for (const rule of rules) events.push(await runRule(context, store, orderId, rule))
    orders.push({ orderId, events })
  }
  const connections = new Set(found.flatMap(({ rules }) => rules.map(({ connectionId }) => connectionId)))
  for (const connectionId of connections) await requestEventSend(context.sql, connectionId, store.projectId)
  return { orders }
}

async function runRule(
  { sql, plugins }: Context,
  { projectId }: Store,
  orderId: string,
  rule: MatchingRule,
): Promise<OrderResult['events'][number]> {
  const { connectionId, key: integration, event, pixelId, withValue, at } = rule
  const shown = { integration, pixelId, event }
  const days = plugins.find('ads', integration)?.adapter.limits.eventDays ?? 0
  if (rule.isKnown) return { ...shown, state: 'known' }
  if (Date.parse(at) < Date.now() - maxEventAgeOfDays(days) * 1000) return { ...shown, state: 'late' }
  const isNew = await insertEvent(sql, { connectionId, orderId, event, pixelId, projectId, withValue, at })
  return { ...shown, state: isNew ? 'waiting' : 'known' }
}
