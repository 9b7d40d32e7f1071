import type { Sql } from '../../data/sql.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { recordAuditAll } from '../../platform/audit/record-audit.ts'
import { firstOf, type Given, type Ranked } from './choose.ts'
import { type Plan, presentChoice } from './decide.ts'
import type { DispatchChoice, DispatchOutcome } from './dispatch.model.ts'
import { countGiven, endAbandoned, insertDispatches, lockShares, type NewDispatch } from './dispatch.queries.ts'

/** No request works on an order for longer. */
const ABANDONED_SECONDS = 150

/** An order with the carriers that are asked for it, in turn. `id` is null where nothing is kept of it, or somebody else has it in hand. */
export interface Turn {
  readonly id: string | null
  readonly choice: DispatchChoice
  /** What came of it already, without anybody being asked; null where carriers are to be asked. */
  readonly came: DispatchOutcome | null
  readonly ranked: Ranked
}

/** Ranks the carriers of each order, and writes down who is asked first, so that shares hold whoever else gives out orders meanwhile. */
export async function giveOut(sql: Sql, storeId: string, plans: readonly Plan[], keep: boolean): Promise<Turn[]> {
  const byShare = [...new Set(plans.flatMap((plan) => ('rule' in plan && plan.rule?.choose === 'share' ? [plan.rule.name] : [])))]
  return transaction(sql, async (tx) => {
    if (keep && byShare.length > 0) await lockShares(tx, storeId)
    const counted = Map.groupBy(byShare.length > 0 ? await countGiven(tx, storeId, byShare) : [], ({ rule }) => rule)
    const given = new Map<string, Given>(
      byShare.map((rule) => [rule, new Map(counted.get(rule)?.map(({ carrier, count }) => [carrier, count]))]),
    )
    const turns = plans.map((plan) => turnOf(plan, given))
    if (!keep) return turns.map((turn) => ({ ...turn, id: null }))
    const rows = turns.flatMap((turn) => rowsOf(storeId, turn))
    await endAbandoned(
      tx,
      storeId,
      rows.map(({ orderId }) => orderId),
      ABANDONED_SECONDS,
    )
    const mine = new Set(await insertDispatches(tx, rows))
    await noteDispatches(
      tx,
      storeId,
      rows.filter(({ id }) => mine.has(id)),
    )
    return turns.map((turn) => (turn.id && mine.has(turn.id) ? turn : { ...turn, id: null }))
  })
}

/** Refusals that are kept as dispatches: an order that was not found, or is with a carrier, is no choice. */
const KEPT: readonly string[] = ['no_carrier', 'order_not_confirmed']

function turnOf(plan: Plan, given: ReadonlyMap<string, Given>): Turn {
  if ('answer' in plan) {
    const { came, ...choice } = plan.answer
    const isKept = came.outcome === 'refused' && KEPT.includes(came.error.code)
    return { id: isKept ? newId('dsp') : null, choice, came, ranked: [] }
  }
  const counts = given.get(plan.rule?.name ?? '') ?? new Map<string, number>()
  const ranked = plan.rank(counts)
  const { key } = firstOf(ranked).candidate
  counts.set(key, (counts.get(key) ?? 0) + 1)
  return { id: newId('dsp'), choice: presentChoice(plan, ranked), came: null, ranked }
}

const noteDispatches = (tx: Tx, storeId: string, rows: readonly NewDispatch[]) =>
  recordAuditAll(
    tx,
    { storeId },
    rows.map(({ orderId: thing, ...after }) => ({ what: 'order.dispatched', thing, after })),
  )

function rowsOf(storeId: string, { id, choice, ranked }: Turn): NewDispatch[] {
  if (id === null) return []
  const { orderId, rule, carrier, reason } = choice
  return [{ storeId, id, orderId, rule, carrier, reason, outcome: ranked.length > 0 ? 'running' : 'refused' }]
}
