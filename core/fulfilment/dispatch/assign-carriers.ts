import type { Sql } from '../../data/sql.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { recordAuditAll } from '../../platform/audit/record-audit.ts'
import type { DispatchChoice, DispatchOutcome } from './dispatch.model.ts'
import { countAssigned, expireAbandonedDispatches, insertDispatches, lockShares, type NewDispatch } from './dispatch.queries.ts'
import { type DispatchPlan, presentChoice } from './plan-dispatch.ts'
import { type AssignedCounts, firstCandidateOf, type RankedCandidates } from './rank-carriers.ts'

/** Seconds after which a running dispatch is abandoned; no request works on an order for longer. */
const ABANDONED_SECONDS = 150

/** Order with its carriers in order of preference. `id` is null when nothing is stored, or another request dispatches the order. */
export interface DispatchAssignment {
  readonly id: string | null
  readonly choice: DispatchChoice
  /** Result that is known without using a carrier; null when carriers are to be used. */
  readonly result: DispatchOutcome | null
  readonly ranked: RankedCandidates
}

/** Ranks the carriers of each order and stores the first one, so that shares also count concurrent dispatches. */
export async function assignCarriers(
  sql: Sql,
  storeId: string,
  plans: readonly DispatchPlan[],
  { isRecorded }: { readonly isRecorded: boolean },
): Promise<DispatchAssignment[]> {
  const byShare = [...new Set(plans.flatMap((plan) => ('rule' in plan && plan.rule?.choose === 'share' ? [plan.rule.name] : [])))]
  return transaction(sql, async (tx) => {
    if (isRecorded && byShare.length > 0) await lockShares(tx, storeId)
    const counted = Map.groupBy(byShare.length > 0 ? await countAssigned(tx, storeId, byShare) : [], ({ rule }) => rule)
    const given = new Map<string, AssignedCounts>(
      byShare.map((rule) => [rule, new Map(counted.get(rule)?.map(({ carrier, count }) => [carrier, count]))]),
    )
    const assignments = plans.map((plan) => assignmentOf(plan, given))
    if (!isRecorded) return assignments.map((turn) => ({ ...turn, id: null }))
    const rows = assignments.flatMap((turn) => rowsOf(storeId, turn))
    await expireAbandonedDispatches(
      tx,
      storeId,
      rows.map(({ orderId }) => orderId),
      ABANDONED_SECONDS,
    )
    const mine = new Set(await insertDispatches(tx, rows))
    await auditDispatches(
      tx,
      storeId,
      rows.filter(({ id }) => mine.has(id)),
    )
    return assignments.map((turn) => (turn.id && mine.has(turn.id) ? turn : { ...turn, id: null }))
  })
}

/** Error codes of refusals that are stored as dispatches; an order that was not found or is with a carrier had no choice. */
const RECORDED_REFUSALS: readonly string[] = ['no_carrier', 'order_not_confirmed', 'place_unknown']

function assignmentOf(plan: DispatchPlan, given: ReadonlyMap<string, AssignedCounts>): DispatchAssignment {
  if ('answer' in plan) {
    const { result: came, ...choice } = plan.answer
    const isKept = came.outcome === 'refused' && RECORDED_REFUSALS.includes(came.error.code)
    return { id: isKept ? newId('dsp') : null, choice, result: came, ranked: [] }
  }
  const counts = given.get(plan.rule?.name ?? '') ?? new Map<string, number>()
  const ranked = plan.rank(counts)
  const { key } = firstCandidateOf(ranked).candidate
  counts.set(key, (counts.get(key) ?? 0) + 1)
  return { id: newId('dsp'), choice: presentChoice(plan, ranked), result: null, ranked }
}

const auditDispatches = (tx: Tx, storeId: string, rows: readonly NewDispatch[]) =>
  recordAuditAll(
    tx,
    { storeId },
    rows.map(({ orderId: thing, ...after }) => ({ what: 'order.dispatched', thing, after })),
  )

function rowsOf(storeId: string, { id, choice, ranked }: DispatchAssignment): NewDispatch[] {
  if (id === null) return []
  const { orderId, rule, carrier, reason } = choice
  return [{ storeId, id, orderId, rule, carrier, reason, outcome: ranked.length > 0 ? 'running' : 'refused' }]
}
