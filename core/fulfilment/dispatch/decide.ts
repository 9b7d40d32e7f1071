import type { Context } from '../../context.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { findLiveOfOrder } from '../../logistics/parcels/parcels.queries.ts'
import { present } from '../../logistics/parcels/present.ts'
import type { NamedOrder } from '../../orders/change/hold.ts'
import { findOrder, type OrderRow } from '../../orders/orders.queries.ts'
import { needsForce, notConfirmed, readSendRule, type SendRule } from '../../orders/parcels/confirmed.ts'
import type { SendChoice } from '../../orders/parcels/new-parcel.ts'
import { dueOf } from '../../orders/parcels/parcel-of.ts'
import { weightOf } from '../../orders/pricing/weight.queries.ts'
import { restOf } from '../../orders/split/remaining.ts'
import { open } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type Candidate, holds, type Sorted, sortOut } from './candidates.ts'
import { firstOf, type Given, type Ranked, rank, rankWithoutRules } from './choose.ts'
import type { DispatchChoice, DispatchOutcome, Rule } from './dispatch.model.ts'
import { findRules } from './dispatch.queries.ts'
import type { Prices } from './prices.ts'
import type { Subject } from './subject.ts'
import { readSuccess } from './success.ts'

/** Connections of one store; there are fewer carriers than that. */
const ACCOUNTS_MAX = 100

/** An answer that stands before any carrier is asked. */
export type Answer = DispatchChoice & { readonly came: DispatchOutcome }

/** What is to be done with an order: an answer that stands already, or carriers to choose among. */
export type Plan = { readonly orderId: string } & (
  | { readonly answer: Answer }
  | { readonly rule: Rule | null; readonly sorted: Sorted; rank(given: Given): Ranked }
)

/** Looks at each order, and finds the rule that decides for it. Changes nothing. */
export async function decide(
  context: Context,
  prices: Prices,
  { id: storeId, projectId, currencyCode: currency }: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderIds: readonly string[],
  choice: SendChoice,
): Promise<Plan[]> {
  const rule = await readSendRule(context.sql, storeId, choice.force)
  const [rules, connections, read] = await Promise.all([
    findRules(context.sql, storeId),
    enabledConnections(context, storeId),
    Promise.all(orderIds.map((orderId) => readOrder(context, { storeId, projectId, orderId, currency }, choice, rule))),
  ])
  const success = await readSuccess(
    context.sql,
    connections.map(({ row }) => row.id),
    read.flatMap((one) => ('answer' in one ? [] : [one.stateCode])),
  )
  return Promise.all(
    read.map(async (subject): Promise<Plan> => {
      if ('answer' in subject) return { orderId: subject.answer.orderId, answer: subject.answer }
      const orderId = subject.order.id
      if (rules.length === 0) {
        const everybody = connections.map(({ row }) => ({ carrier: row.key }))
        const sorted = await sortOut(subject, connections, everybody, success, prices)
        if (sorted.candidates.length === 0) return { orderId, answer: nobody(orderId, 'No enabled carrier delivers there.', sorted) }
        return { orderId, rule: null, sorted, rank: () => rankWithoutRules(sorted.candidates, new Map()) }
      }
      const passed: Sorted['leftOut'][number][] = []
      for (const rule of rules.filter((rule) => holds(rule, subject))) {
        const sorted = await sortOut(subject, connections, rule.carriers, success, rule.choose === 'price' ? prices : null)
        if (sorted.candidates.length > 0) return { orderId, rule, sorted, rank: (given) => rank(rule.choose, sorted.candidates, given) }
        passed.push(...sorted.leftOut.map(({ carrier, reason }) => ({ carrier, reason: `Rule "${rule.name}": ${reason}` })))
      }
      const why = passed.length > 0 ? 'Each rule that holds leaves no carrier; see leftOut.' : 'No rule of the store holds for this order.'
      return { orderId, answer: nobody(orderId, why, { candidates: [], leftOut: passed }) }
    }),
  )
}

async function enabledConnections(context: Context, storeId: string): Promise<CarrierConnection[]> {
  const rows = await listConnections(context.sql, storeId, null, ACCOUNTS_MAX)
  return rows
    .filter(({ enabled, kind, key }) => enabled && kind === 'carrier' && context.plugins.find('carrier', key))
    .map((row) => openConnection(context, 'carrier', row))
    .sort((a, b) => (a.row.key < b.row.key ? -1 : 1))
}

type Answered = { readonly answer: Answer }

async function readOrder(
  { sql }: Context,
  { storeId, projectId, orderId, currency }: NamedOrder & Pick<Subject, 'currency'>,
  choice: SendChoice,
  rule: SendRule,
): Promise<Subject | Answered> {
  const order = await findOrder(sql, { storeId, id: orderId })
  if (!order) return failed(orderId, 'not_found', 'The order was not found.')
  const isLeftOut = needsForce(order, rule) && !rule.force
  const { code, message } = notConfirmed(order)
  const rest = await restOf(sql, { projectId }, order)
  if (rest && isLeftOut) return failed(orderId, code, message)
  if (rest) return subjectOf(order, { ...rest, ...choice, currency }, choice)
  const live = await findLiveOfOrder(sql, projectId, orderId)
  if (live && live.status !== 'created') {
    const carrier = live.courierId
    const choice = { ...blank(orderId), carrier, reason: `The order is with ${carrier} already.` }
    const parcel = present(live)
    const error = { code: 'outcome_unknown', message: `Whether ${carrier} has it is not known yet; it is sent to nobody else until then.` }
    if (live.status !== 'submitting') return { answer: { ...choice, came: { outcome: 'sent', parcel } } }
    return { answer: { ...choice, came: { outcome: 'pending', parcel, ...(live.outcomeUnknown && { error }) } } }
  }
  if (!live && !open.includes(order.status))
    return failed(orderId, 'invalid_transition', `The order is ${order.status}; only one that is ${open.join(', ')} can be sent.`)
  if (isLeftOut) return failed(orderId, code, message)
  const weightKg = choice.weightKg ?? (live ? Number(live.weightKg) : await weightOf(sql, storeId, orderId))
  const amount = live ? Number(live.codAmount) : decimalNumber(dueOf(order))
  return subjectOf(order, { weightKg, amount, currency }, choice)
}

const subjectOf = (
  order: OrderRow,
  { weightKg, amount, currency }: Pick<Subject, 'weightKg' | 'amount' | 'currency'>,
  { deliveryType = order.destination.deliveryType }: SendChoice,
): Subject => ({ order, stateCode: order.destination.stateCode, deliveryType, weightKg, amount, currency })

export const blank = (orderId: string): DispatchChoice => ({
  orderId,
  carrier: null,
  rule: null,
  reason: '',
  candidates: [],
  leftOut: [],
  tried: [],
})

function failed(orderId: string, code: string, message: string): Answered {
  return { answer: { ...blank(orderId), reason: message, came: refused(code, message) } }
}

const refused = (code: string, message: string): DispatchOutcome => ({ outcome: 'refused', error: { code, message }, parcelId: null })

const nobody = (orderId: string, reason: string, { leftOut }: Sorted): Answer => ({
  ...blank(orderId),
  reason,
  leftOut: [...leftOut],
  came: refused('no_carrier', reason),
})

/** What is said of a choice before anybody was asked. */
export function presentChoice(plan: Plan & { rule: Rule | null; sorted: Sorted }, ranked: Ranked): DispatchChoice {
  const first = firstOf(ranked)
  const { rule, sorted, orderId } = plan
  return {
    ...blank(orderId),
    carrier: first.candidate.key,
    rule: rule?.name ?? null,
    reason: rule ? `Rule "${rule.name}". ${first.reason}` : first.reason,
    candidates: ranked.map(({ candidate, reason }) => ({ carrier: candidate.key, reason })),
    leftOut: [...sorted.leftOut],
  }
}

export type { Candidate }
