import type { PayoutStatus, ToldPayout } from '../../../plugins/payment/model.ts'
import { keysetPage, matching } from '../../data/keyset-page.ts'
import { rowsOf } from '../../data/rows.ts'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { AskedPayouts, payoutStates } from './payouts.model.ts'

/** `numeric` columns come as text. */
export interface PayoutRow {
  readonly storeId: string
  readonly id: string
  readonly projectId: string
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

export type Heading = Omit<PayoutRow, 'complete' | 'lineCursor' | 'state' | 'waiting' | 'returnedBy' | 'postedAt' | 'reversedAt'>

/** Whoever judges, posts and takes back what a connection pays out does it alone. */
export const holdBooks = (tx: Tx, connectionId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`payouts ${connectionId}`}, 0))`

/** The gateway's word on its payouts, each of which is there once. What is made up of known lines comes to what it came to then. */
export const saveHeadings = async (tx: Tx, headings: readonly Heading[]) => {
  if (headings.length === 0) return
  const { names, from } = rowsOf(tx, 'gateway_payouts', headings)
  await tx`
    insert into gateway_payouts as p (${names}) select ${names} from ${from} r order by external_id
    on conflict (connection_id, external_id) do update set status = excluded.status, detail = excluded.detail, arrives_at = excluded.arrives_at,
      message = excluded.message, amount = case when p.complete then p.amount else excluded.amount end, updated_at = now()
    where (p.status, p.detail, p.arrives_at, p.message) is distinct from (excluded.status, excluded.detail, excluded.arrives_at, excluded.message)
      or (not p.complete and p.amount <> excluded.amount)`
}

export const findPayout = async (sql: Queryable, id: string) => (await sql<PayoutRow[]>`select * from gateway_payouts where id = ${id}`)[0]

export const lockPayout = async (tx: Tx, id: string) =>
  (await tx<PayoutRow[]>`select * from gateway_payouts where id = ${id} for update`)[0]

export const updatePayout = (sql: Queryable, id: string, change: Partial<PayoutRow>) =>
  sql`update gateway_payouts set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id}`

/** Of a store, newest first. */
export const listPayouts = (sql: Queryable, storeId: string, { filter: { status, waiting }, slice: part }: AskedPayouts) =>
  sql<PayoutRow[]>`select * from gateway_payouts where store_id = ${storeId} ${matching(sql, { status })}
    ${waiting === undefined ? sql`` : waiting ? sql`and waiting > 0` : sql`and waiting = 0`} ${keysetPage(sql, part)}`

/** Those whose lines can be read and are not, from after `after`. */
export const listUnread = (sql: Queryable, connectionId: string, after: string, take: number) =>
  sql<PayoutRow[]>`select * from gateway_payouts
    where connection_id = ${connectionId} and not complete and detail <> 'later' and id > ${after} order by id limit ${take}`

/** Those of which something is to be posted, looked at again, or taken back, from after `after`. */
export const listUnsettled = (sql: Queryable, connectionId: string, after: string, take: number) =>
  sql<PayoutRow[]>`select * from gateway_payouts
    where connection_id = ${connectionId} and (not complete or waiting > 0 or (state = 'posted') <> (status = 'paid')) and complete and id > ${after}
    order by id limit ${take}`

/** Payouts of a connection by the gateway's names. */
export const listNamed = (sql: Queryable, connectionId: string, names: readonly string[]) =>
  sql<PayoutRow[]>`select * from gateway_payouts where connection_id = ${connectionId} and external_id = any (${names as string[]})`

export const markReturned = (tx: Tx, ids: readonly string[], by: string) =>
  tx`update gateway_payouts set returned_by = ${by}, updated_at = now() where id = any (${ids as string[]})`

/** What it had brought back is not there any more. */
export const unmarkReturned = (tx: Tx, connectionId: string, by: string) =>
  tx`update gateway_payouts set returned_by = null, updated_at = now() where connection_id = ${connectionId} and returned_by = ${by}`

/** Something of it stands in the ledger by now, and so many lines wait. */
export const notePosted = async (tx: Tx, id: string) =>
  expectOne(
    await tx<
      PayoutRow[]
    >`update gateway_payouts set state = 'posted', posted_at = coalesce(case when state = 'posted' then posted_at end, now()), updated_at = now(),
    waiting = (select count(*) from gateway_payout_lines where payout_id = ${id} and settled_at is null) where id = ${id} returning *`,
  )

export const noteReversed = async (tx: Tx, id: string) =>
  expectOne(
    await tx<
      PayoutRow[]
    >`update gateway_payouts set state = 'reversed', reversed_at = now(), waiting = 0, updated_at = now() where id = ${id} returning *`,
  )

/** Payments to a store at gateways that say what they pay out, which nothing of that names; the oldest first. */
export const listMissing = (sql: Queryable, storeId: string, days: number, after: string | null, take: number) =>
  sql<MissingRow[]>`
    select p.id, p.order_id, p.gateway, p.external_id, p.paid, p.refunded, p.fee, p.currency, p.paid_at,
      floor(extract(epoch from now() - p.paid_at) / 86400)::int as days
    from payments p where p.store_id = ${storeId} and p.paid is not null and p.paid_at <= now() - ${days} * interval '1 day'
      and exists (select 1 from payout_pulls r where r.connection_id = p.connection_id and r.finished_at is not null)
      and not exists (select 1 from gateway_payout_lines l join gateway_payouts g on g.id = l.payout_id
        where l.payment_id = p.id and l.kind = 'payment' and (g.status in ('pending', 'in_transit', 'paid') or g.returned_by is not null))
      ${after === null ? sql`` : sql`and (p.paid_at, p.id) > (select a.paid_at, a.id from payments a where a.id = ${after} and a.store_id = ${storeId})`}
    order by p.paid_at, p.id limit ${take}`

export interface MissingRow {
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
