import type { PayoutStatus, ToldPayout } from '../../../plugins/payment/payouts.model.ts'
import { equalsCondition, keysetPage } from '../../data/keyset-page.ts'
import { recordsetOf } from '../../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { UnpaidSum } from '../ledger/owed.queries.ts'
import type { PayoutsQuery, payoutStates } from './payouts.model.ts'

/** Row of `gateway_payouts`. `numeric` columns come as text. */
export interface PayoutRow {
  readonly projectId: string
  readonly id: string
  readonly connectionId: string
  readonly gateway: string
  readonly externalId: string
  readonly status: PayoutStatus
  readonly amount: string
  readonly currency: string
  readonly decimals: number
  readonly detail: ToldPayout['lines']
  readonly madeAt: string
  readonly arrivesAt: string | null
  readonly message: string | null
  readonly complete: boolean
  readonly lineCursor: string | null
  readonly state: (typeof payoutStates)[number]
  readonly waiting: number
  readonly returnedBy: string | null
  readonly postedAt: string | null
  readonly reversedAt: string | null
}

/** Primary key of a payout. */
export type PayoutKey = Pick<PayoutRow, 'projectId' | 'id'>

/** Connection of a gateway, by which its payouts are listed. */
export type PayoutsOfConnection = Pick<PayoutRow, 'projectId' | 'connectionId'>

/** Payout as the gateway's list reports it, without our own state. */
export type PayoutHeading = Omit<PayoutRow, 'complete' | 'lineCursor' | 'state' | 'waiting' | 'returnedBy' | 'postedAt' | 'reversedAt'>

/** Acquires the advisory lock under which a connection's payouts are reconciled, posted and reversed one at a time. */
export const lockConnectionPayouts = (tx: Tx, connectionId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`payouts ${connectionId}`}, 0))`

/** Inserts or updates payouts from the gateway's list. The amount of a payout whose lines are complete does not change. */
export const upsertPayoutHeadings = async (tx: Tx, headings: readonly PayoutHeading[]) => {
  if (headings.length === 0) return
  const { names, from } = recordsetOf(tx, 'gateway_payouts', headings)
  await tx`
    insert into gateway_payouts as p (${names}) select ${names} from ${from} r order by external_id
    on conflict (project_id, connection_id, external_id) do update set status = excluded.status, detail = excluded.detail, arrives_at = excluded.arrives_at,
      message = excluded.message, amount = case when p.complete then p.amount else excluded.amount end, updated_at = now()
    where (p.status, p.detail, p.arrives_at, p.message) is distinct from (excluded.status, excluded.detail, excluded.arrives_at, excluded.message)
      or (not p.complete and p.amount <> excluded.amount)`
}

/** Finds a gateway payout. */
export const findPayout = async (sql: Queryable, { projectId, id }: PayoutKey) =>
  (await sql<PayoutRow[]>`select * from gateway_payouts where project_id = ${projectId} and id = ${id}`)[0]

/** Locks a gateway payout until the transaction ends. */
export const lockPayout = async (tx: Tx, { projectId, id }: PayoutKey) =>
  (await tx<PayoutRow[]>`select * from gateway_payouts where project_id = ${projectId} and id = ${id} for update`)[0]

/** Updates columns of a gateway payout. */
export const updatePayout = (sql: Queryable, { projectId, id }: PayoutKey, change: Partial<PayoutRow>) =>
  sql`update gateway_payouts set ${rowValues(sql, { ...change, updatedAt: new Date() })} where project_id = ${projectId} and id = ${id}`

/** Lists a page of a store's payouts, newest first. */
export const listPayouts = (sql: Queryable, projectId: string, { filter: { status, waiting }, page: part }: PayoutsQuery) =>
  sql<PayoutRow[]>`select * from gateway_payouts where project_id = ${projectId} ${equalsCondition(sql, { status })}
    ${waiting === undefined ? sql`` : waiting ? sql`and waiting > 0` : sql`and waiting = 0`} ${keysetPage(sql, part)}`

/** Lists payouts whose lines can be read but are incomplete, in order of id, after the id `after`. */
export const listUnreadPayouts = (sql: Queryable, { projectId, connectionId }: PayoutsOfConnection, after: string, take: number) =>
  sql<PayoutRow[]>`select * from gateway_payouts
    where project_id = ${projectId} and connection_id = ${connectionId} and not complete and detail <> 'later' and id > ${after} order by id limit ${take}`

/** Lists complete payouts with lines to post, to reconcile again or to reverse, in order of id, after the id `after`. */
export const listPayoutsToPost = (sql: Queryable, { projectId, connectionId }: PayoutsOfConnection, after: string, take: number) =>
  sql<PayoutRow[]>`select * from gateway_payouts
    where project_id = ${projectId} and connection_id = ${connectionId} and (not complete or waiting > 0 or (state = 'posted') <> (status = 'paid')) and complete and id > ${after}
    order by id limit ${take}`

/** Lists payouts of a connection by the gateway's ids. */
export const listPayoutsByExternalId = (sql: Queryable, { projectId, connectionId }: PayoutsOfConnection, names: readonly string[]) =>
  sql<PayoutRow[]>`select * from gateway_payouts
    where project_id = ${projectId} and connection_id = ${connectionId} and external_id = any (${names as string[]})`

/** Marks failed payouts as paid again by the payout `by`. */
export const markPayoutsReturned = (tx: Tx, ids: readonly string[], { projectId, id: by }: PayoutKey) =>
  tx`update gateway_payouts set returned_by = ${by}, updated_at = now()
    where project_id = ${projectId} and id = any (${ids as string[]})`

/** Clears the mark of failed payouts that the payout `by` paid again, after that payout was reversed. */
export const unmarkPayoutsReturned = (tx: Tx, { projectId, connectionId, id: by }: PayoutRow) =>
  tx`update gateway_payouts set returned_by = null, updated_at = now()
    where project_id = ${projectId} and connection_id = ${connectionId} and returned_by = ${by}`

/** Marks a payout as posted, counts its lines that wait, and returns it. A payout that was already posted retains its `posted_at`. */
export const markPayoutPosted = async (tx: Tx, { projectId, id }: PayoutKey) =>
  expectOne(
    await tx<
      PayoutRow[]
    >`update gateway_payouts set state = 'posted', posted_at = coalesce(case when state = 'posted' then posted_at end, now()), updated_at = now(),
    waiting = (select count(*) from gateway_payout_lines where project_id = ${projectId} and payout_id = ${id} and settled_at is null)
    where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Marks a payout as reversed, with no lines that wait, and returns it. */
export const markPayoutReversed = async (tx: Tx, { projectId, id }: PayoutKey) =>
  expectOne(
    await tx<PayoutRow[]>`update gateway_payouts set state = 'reversed', reversed_at = now(), waiting = 0, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning *`,
  )

/** SQL clauses from `from` on: payments `p` of a store at gateways that report payouts, which no valid payout includes after `days` days. */
const missingPayments = (sql: Queryable, projectId: string, days: number) => sql`
  from payments p where p.project_id = ${projectId} and p.payable_kind = 'order' and p.paid is not null and p.paid_at <= now() - ${days} * interval '1 day'
    and exists (select 1 from payout_pulls r where r.project_id = p.project_id and r.connection_id = p.connection_id and r.finished_at is not null)
    and not exists (select 1 from gateway_payout_lines l join gateway_payouts g on g.project_id = l.project_id and g.id = l.payout_id
      where l.project_id = p.project_id and l.payment_id = p.id and l.kind = 'payment' and (g.status in ('pending', 'in_transit', 'paid') or g.returned_by is not null))`

/** Lists a store's payments at gateways that report payouts which no valid payout includes after `days` days, oldest first. */
export const listMissingPayments = (sql: Queryable, projectId: string, days: number, after: string | null, take: number) =>
  sql<MissingPaymentRow[]>`
    select p.id, p.order_id, p.gateway, p.external_id, p.paid, p.refunded, p.fee, p.currency, p.paid_at,
      floor(extract(epoch from now() - p.paid_at) / 86400)::int as days
    ${missingPayments(sql, projectId, days)}
      ${after === null ? sql`` : sql`and (p.paid_at, p.id) > (select a.paid_at, a.id from payments a where a.project_id = ${projectId} and a.id = ${after})`}
    order by p.paid_at, p.id limit ${take}`

/** Sums the payments of each gateway that no valid payout includes, by the amounts of the ledger. */
export const sumMissingPaymentsByConnection = (sql: Queryable, projectId: string, agedDays: number) => {
  const isAged = sql`filter (where m.at < now() - ${agedDays} * interval '1 day')`
  return sql<UnpaidSum[]>`
    select m.connection_id, count(*)::int as unpaid, min(m.at) as since, count(*) ${isAged}::int as aged_unpaid, coalesce(sum(m.owed) ${isAged}, 0) as aged
    from (select p.connection_id, p.paid_at as at, (select sum(e.carrier) from ledger_entries e
        where e.project_id = p.project_id and e.payment_id = p.id and e.kind in ('payment', 'refund') and e.stands) as owed
      ${missingPayments(sql, projectId, 0)}) m group by 1`
}

/** Counts the payouts of each gateway with lines that wait for review, and finds when the last one was posted. */
export const sumPayoutsByConnection = (sql: Queryable, projectId: string) =>
  sql<{ connectionId: string; waiting: number; lastAt: string | null }[]>`
    select connection_id, count(*) filter (where waiting > 0)::int as waiting, max(posted_at) filter (where state = 'posted') as last_at
    from gateway_payouts where project_id = ${projectId} group by 1`

/** Payment that no payout includes. `numeric` columns come as text; `days` counts since it was paid. */
export interface MissingPaymentRow {
  readonly id: string
  readonly orderId: string
  readonly gateway: string
  readonly externalId: string | null
  readonly paid: string
  readonly refunded: string
  readonly fee: string | null
  readonly currency: string
  readonly paidAt: string
  readonly days: number
}
