import type { Context } from '../../context.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { findNewestLiveParcel } from '../../logistics/parcels/parcels.queries.ts'
import { presentParcel } from '../../logistics/parcels/present.ts'
import type { OrderRef } from '../../orders/change/lock-order.ts'
import { findOrder, type OrderRow } from '../../orders/orders.queries.ts'
import type { SendChoice } from '../../orders/parcels/new-parcel.ts'
import { amountDueOf } from '../../orders/parcels/parcel-values.ts'
import { forceNeededError, readSendRule, type SendRule } from '../../orders/parcels/send-rule.ts'
import { orderWeightOf } from '../../orders/pricing/weight.queries.ts'
import { readRemaining } from '../../orders/split/remaining.ts'
import { openStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type CandidateSelection, isRuleApplicable, selectCandidates } from './candidates.ts'
import type { DispatchChoice, DispatchOutcome, DispatchRule } from './dispatch.model.ts'
import { findDispatchRules } from './dispatch.queries.ts'
import type { PriceSource } from './prices.ts'
import { type AssignedCounts, firstCandidateOf, type RankedCandidates, rankByRule, rankWithoutRules } from './rank-carriers.ts'
import type { DispatchSubject } from './subject.ts'
import { readSuccessRates } from './success.ts'

/** Maximum number of connections of a store; there are fewer carriers. */
const ACCOUNTS_MAX = 100

/** Result of an order that is known before any carrier is used. */
export type EarlyDispatchResult = DispatchChoice & { readonly result: DispatchOutcome }

/** Plan for one order: a result that is known already, or carriers to choose from. */
export type DispatchPlan = { readonly orderId: string } & (
  | { readonly answer: EarlyDispatchResult }
  | { readonly rule: DispatchRule | null; readonly sorted: CandidateSelection; rank(given: AssignedCounts): RankedCandidates }
)

/** Reads the orders and finds the rule that decides about each. Changes nothing. */
export async function planDispatch(
  context: Context,
  prices: PriceSource,
  { id: storeId, projectId, currencyCode: currency }: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderIds: readonly string[],
  choice: SendChoice,
): Promise<DispatchPlan[]> {
  const rule = await readSendRule(context.sql, storeId, { force: choice.force })
  const [rules, connections, read] = await Promise.all([
    findDispatchRules(context.sql, storeId),
    listEnabledConnections(context, storeId),
    Promise.all(orderIds.map((orderId) => readSubject(context, { storeId, projectId, orderId, currency }, choice, rule))),
  ])
  const success = await readSuccessRates(
    context.sql,
    connections.map(({ row }) => row.id),
    read.flatMap((one) => ('answer' in one ? [] : [one.stateCode])),
  )
  return Promise.all(
    read.map(async (subject): Promise<DispatchPlan> => {
      if ('answer' in subject) return { orderId: subject.answer.orderId, answer: subject.answer }
      const orderId = subject.order.id
      if (rules.length === 0) {
        const allCarriers = connections.map(({ row }) => ({ carrier: row.key }))
        const sorted = await selectCandidates(subject, connections, allCarriers, success, prices)
        if (sorted.candidates.length === 0) return { orderId, answer: noCarrier(orderId, 'No enabled carrier delivers there.', sorted) }
        return { orderId, rule: null, sorted, rank: () => rankWithoutRules(sorted.candidates, new Map()) }
      }
      const leftOut: CandidateSelection['leftOut'][number][] = []
      for (const rule of rules.filter((rule) => isRuleApplicable(rule, subject))) {
        const sorted = await selectCandidates(subject, connections, rule.carriers, success, rule.choose === 'price' ? prices : null)
        if (sorted.candidates.length > 0)
          return { orderId, rule, sorted, rank: (given) => rankByRule(rule.choose, sorted.candidates, given) }
        leftOut.push(...sorted.leftOut.map(({ carrier, reason }) => ({ carrier, reason: `Rule "${rule.name}": ${reason}` })))
      }
      const why =
        leftOut.length > 0 ? 'No matching rule has an available carrier; see leftOut.' : 'No rule of the store matches this order.'
      return { orderId, answer: noCarrier(orderId, why, { candidates: [], leftOut: leftOut }) }
    }),
  )
}

async function listEnabledConnections(context: Context, storeId: string): Promise<CarrierConnection[]> {
  const rows = await listConnections(context.sql, storeId, null, ACCOUNTS_MAX)
  return rows
    .filter(({ enabled, kind, key }) => enabled && kind === 'carrier' && context.plugins.find('carrier', key))
    .map((row) => openConnection(context, 'carrier', row))
    .sort((a, b) => (a.row.key < b.row.key ? -1 : 1))
}

type WithEarlyResult = { readonly answer: EarlyDispatchResult }

async function readSubject(
  { sql }: Context,
  { storeId, projectId, orderId, currency }: OrderRef & Pick<DispatchSubject, 'currency'>,
  choice: SendChoice,
  rule: SendRule,
): Promise<DispatchSubject | WithEarlyResult> {
  const order = await findOrder(sql, { storeId, id: orderId })
  if (!order) return earlyFailure(orderId, 'not_found', 'The order was not found.')
  const rest = await readRemaining(sql, { projectId }, order)
  const leftOut = forceNeededError(order, rule)
  if (rest && leftOut) return earlyFailure(orderId, leftOut.code, leftOut.message)
  if (rest) return subjectOf(order, { ...rest, ...choice, currency }, choice)
  const live = await findNewestLiveParcel(sql, projectId, orderId)
  if (live && live.status !== 'created') {
    const carrier = live.courierId
    const choice = { ...emptyChoice(orderId), carrier, reason: `The order is with ${carrier} already.` }
    const parcel = presentParcel(live)
    const error = { code: 'outcome_unknown', message: `The outcome at ${carrier} is not known yet; until then no other carrier is used.` }
    if (live.status !== 'submitting') return { answer: { ...choice, result: { outcome: 'sent', parcel } } }
    return { answer: { ...choice, result: { outcome: 'pending', parcel, ...(live.outcomeUnknown && { error }) } } }
  }
  if (!live && !openStatuses.includes(order.status))
    return earlyFailure(
      orderId,
      'invalid_transition',
      `The order is ${order.status}; only one that is ${openStatuses.join(', ')} can be sent.`,
    )
  // The address may have been corrected in the parcel.
  const stillLeftOut = live ? forceNeededError({ ...order, destination: live.destination }, rule) : leftOut
  if (stillLeftOut) return earlyFailure(orderId, stillLeftOut.code, stillLeftOut.message)
  const weightKg = choice.weightKg ?? (live ? Number(live.weightKg) : await orderWeightOf(sql, storeId, orderId))
  const amount = live ? Number(live.codAmount) : decimalNumber(amountDueOf(order))
  return subjectOf(order, { weightKg, amount, currency }, choice)
}

const subjectOf = (
  order: OrderRow,
  { weightKg, amount, currency }: Pick<DispatchSubject, 'weightKg' | 'amount' | 'currency'>,
  { deliveryType = order.destination.deliveryType }: SendChoice,
): DispatchSubject => ({ order, stateCode: order.destination.stateCode, deliveryType, weightKg, amount, currency })

/** Choice for an order before a carrier is chosen. */
export const emptyChoice = (orderId: string): DispatchChoice => ({
  orderId,
  carrier: null,
  rule: null,
  reason: '',
  candidates: [],
  leftOut: [],
  tried: [],
})

function earlyFailure(orderId: string, code: string, message: string): WithEarlyResult {
  return { answer: { ...emptyChoice(orderId), reason: message, result: refusedOutcome(code, message) } }
}

const refusedOutcome = (code: string, message: string): DispatchOutcome => ({
  outcome: 'refused',
  error: { code, message },
  parcelId: null,
})

const noCarrier = (orderId: string, reason: string, { leftOut }: CandidateSelection): EarlyDispatchResult => ({
  ...emptyChoice(orderId),
  reason,
  leftOut: [...leftOut],
  result: refusedOutcome('no_carrier', reason),
})

/** Choice for an order before any carrier was used. */
export function presentChoice(
  plan: DispatchPlan & { rule: DispatchRule | null; sorted: CandidateSelection },
  ranked: RankedCandidates,
): DispatchChoice {
  const first = firstCandidateOf(ranked)
  const { rule, sorted, orderId } = plan
  return {
    ...emptyChoice(orderId),
    carrier: first.candidate.key,
    rule: rule?.name ?? null,
    reason: rule ? `Rule "${rule.name}". ${first.reason}` : first.reason,
    candidates: ranked.map(({ candidate, reason }) => ({ carrier: candidate.key, reason })),
    leftOut: [...sorted.leftOut],
  }
}
