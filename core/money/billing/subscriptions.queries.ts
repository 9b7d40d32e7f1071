import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Period } from './periods/periods.ts'
import { FREE, type Limits } from './plans/plans.model.ts'
import { type InvoiceReason, type SubscriptionStatus, withPlan } from './statuses.ts'
import type { InvoiceLine } from './subscriptions.model.ts'

export interface PlanRow {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly price: string
  readonly currency: string
  readonly limits: Limits
  readonly extraOrderPrice: string | null
  readonly trialDays: number
  readonly appStoreProduct: string | null
  readonly playStoreProduct: string | null
  readonly available: boolean
}

export interface SubscriptionRow {
  readonly storeId: string
  readonly plan: string
  readonly status: SubscriptionStatus
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly anchor: string | null
  readonly rate: string
  readonly currency: string
  readonly nextPlan: string | null
  readonly cancels: boolean
  readonly trialUsed: boolean
  readonly lookAt: string | null
}
export type SubscriptionValues = Partial<Omit<SubscriptionRow, 'storeId'>>

export interface InvoiceRow {
  readonly storeId: string
  readonly id: string
  readonly reason: InvoiceReason
  readonly plan: string
  readonly rate: string
  readonly status: 'open' | 'paid' | 'void'
  readonly currency: string
  readonly total: string
  readonly lines: InvoiceLine[]
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly dueAt: string
  readonly voidAt: string | null
  readonly paidAt: string | null
  readonly createdAt: string
}

const at = (now: number) => new Date(now)

export const findPlan = async (sql: Queryable, code: string) => (await sql<PlanRow[]>`select * from plans where code = ${code}`)[0]

export const hasPlanIn = async (sql: Queryable, currency: string) =>
  (await sql`select 1 from plans where currency = ${currency} limit 1`).length > 0

/** Those that may be chosen, and the one that is had. */
export const listOffered = (sql: Queryable, current: string) =>
  sql<PlanRow[]>`select * from plans where available or code = ${current} order by price, id limit 100`

export const findPlanOfProduct = async (sql: Queryable, shop: 'app_store' | 'play_store', product: string) =>
  (
    await sql<PlanRow[]>`select * from plans where ${shop === 'app_store' ? sql`app_store_product` : sql`play_store_product`} = ${product}`
  )[0]

/** The plan that a store has now. */
export const findPlanInForce = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<PlanRow[]>`select * from plans where code = coalesce(
      (select plan from subscriptions where store_id = ${storeId} and status in ${sql(withPlan)}), ${FREE})`,
  )

/** Whether the store is there, and is until the transaction ends. */
export const holdStore = async (sql: Tx, storeId: string) =>
  (await sql`select 1 from stores where id = ${storeId} and deleted_at is null for key share`).length > 0

export const findSubscription = async (sql: Queryable, storeId: string) =>
  (await sql<SubscriptionRow[]>`select * from subscriptions where store_id = ${storeId}`)[0]

/** Held until the transaction ends: after its store, which stays until then, and before what pays for it. */
export const lockSubscription = async (sql: Tx, storeId: string) => {
  await sql`with store as (select id from stores where id = ${storeId} for key share)
    insert into subscriptions (store_id, plan, status, currency)
    select store.id, code, 'active', currency from store, plans where code = ${FREE} on conflict do nothing`
  return expectOne(await sql<SubscriptionRow[]>`select * from subscriptions where store_id = ${storeId} for update`)
}

export const updateSubscription = async (sql: Tx, storeId: string, change: SubscriptionValues) =>
  expectOne(
    await sql<
      SubscriptionRow[]
    >`update subscriptions set ${row(sql, { ...change, updatedAt: new Date() })} where store_id = ${storeId} returning *`,
  )

/** In the order of their stores, after one. */
export const listDue = (sql: Queryable, now: number, after: string, most: number) =>
  sql<
    { storeId: string }[]
  >`select store_id from subscriptions where look_at <= ${at(now)} and store_id > ${after} order by store_id limit ${most}`

/** Those whose plans say how many orders they may have in a month. */
export const listWithOrderLimit = (sql: Queryable, after: string, most: number) =>
  sql<
    { storeId: string }[]
  >`select s.id as store_id from stores s left join subscriptions o on o.store_id = s.id and o.status in ${sql(withPlan)}
    join plans p on p.code = coalesce(o.plan, ${FREE})
    where (p.limits->>'ordersPerMonth') is not null and s.deleted_at is null and s.id > ${after} order by s.id limit ${most}`

export type NewInvoice = Omit<InvoiceRow, 'status' | 'paidAt' | 'createdAt'>
export const insertInvoice = async (sql: Tx, invoice: NewInvoice) =>
  expectOne(await sql<InvoiceRow[]>`insert into subscription_invoices ${row(sql, invoice, ['lines'])} returning *`)

/** What is to be paid, what is due first first; with what was offered at `since`, unless it is for a period that is over. */
export const listOpen = (sql: Queryable, storeId: string, now: number, since = now) =>
  sql<InvoiceRow[]>`select * from subscription_invoices where store_id = ${storeId} and status = 'open'
    and (void_at is null or (void_at > ${at(since)} and coalesce(period_end > ${at(now)}, true))) order by due_at, id limit 100`

export const listInvoices = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<InvoiceRow[]>`select * from subscription_invoices where store_id = ${storeId}
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Whether the period which begins then was asked for already. */
export const wasRenewalAsked = async (sql: Queryable, storeId: string, periodStart: string) =>
  (
    await sql`select 1 from subscription_invoices
      where store_id = ${storeId} and reason = 'renewal' and status <> 'void' and period_start = ${periodStart}`
  ).length > 0

/** How many extra orders of a period were asked for already. */
export const countAskedExtra = async (sql: Queryable, storeId: string, { start, end }: Period) =>
  expectOne(
    await sql<{ count: number }[]>`select coalesce(sum((line->>'quantity')::int), 0)::int as count
      from subscription_invoices, jsonb_array_elements(lines) line
      where store_id = ${storeId} and reason = 'extra_orders' and status <> 'void' and period_start >= ${at(start)} and period_end <= ${at(end)}`,
  ).count

export const markPaid = (sql: Tx, id: string, now: number) =>
  sql`update subscription_invoices set status = 'paid', paid_at = ${at(now)} where id = ${id} and status = 'open'`

export const voidOpen = (sql: Tx, storeId: string, reasons: readonly InvoiceReason[]) =>
  sql`update subscription_invoices set status = 'void' where store_id = ${storeId} and status = 'open' and reason in ${sql(reasons)}`

/** What was asked for a plan that is had once it is paid. */
export const voidOffer = (sql: Tx, storeId: string, plan: string) =>
  sql`update subscription_invoices set status = 'void'
    where store_id = ${storeId} and status = 'open' and plan = ${plan} and void_at is not null`

export interface Credit {
  readonly storeId: string
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'in_app' | 'invoice' | 'admin'
  readonly amount: string
  readonly currency: string
  readonly about: string
}
export const insertCredit = (sql: Tx, credit: Credit) => sql`insert into subscription_credits ${row(sql, credit)}`

export const listCredits = (sql: Queryable, storeId: string) =>
  sql<{ currency: string; amount: string }[]>`select currency, sum(amount) as amount from subscription_credits
    where store_id = ${storeId} group by currency having sum(amount) <> 0 order by currency`

/** Whether something of a payment was counted as given back within these milliseconds. */
export const wasRefundedSince = async (sql: Queryable, { storeId, id }: { readonly storeId: string; readonly id: string }, ms: number) =>
  (
    await sql`select 1 from subscription_credits
      where store_id = ${storeId} and kind = 'refund' and about = ${id} and created_at > now() - ${ms} * interval '1 millisecond' limit 1`
  ).length > 0

/** Whether nobody has used it yet. */
export const insertReceipt = async (sql: Tx, receipt: ReceiptKey & { readonly forStore: string; readonly product: string }) =>
  (await sql`insert into subscription_receipts ${row(sql, receipt)} on conflict do nothing`).count > 0

export interface ReceiptKey {
  readonly shop: 'app_store' | 'play_store'
  readonly transactionId: string
}

/** Its money was given back. The store that used it; empty where none did, and none can any more; undefined where that was said before. */
export const markTakenBack = async (sql: Tx, receipt: ReceiptKey) =>
  (
    await sql<
      { forStore: string }[]
    >`insert into subscription_receipts ${row(sql, { ...receipt, forStore: '', product: '', takenBack: true })}
      on conflict (shop, transaction_id) do update set taken_back = true where not subscription_receipts.taken_back returning for_store`
  )[0]?.forStore

/** Its money was not given back after all. The store that used it; undefined where none did, or nobody said that it was. */
export async function markGivenAgain(sql: Tx, { shop, transactionId }: ReceiptKey) {
  await sql`delete from subscription_receipts where shop = ${shop} and transaction_id = ${transactionId} and for_store = ''`
  const rows = await sql<{ forStore: string }[]>`update subscription_receipts set taken_back = false
    where shop = ${shop} and transaction_id = ${transactionId} and taken_back returning for_store`
  return rows[0]?.forStore
}

/** What was put to the credit of a store for a purchase. */
export const findCreditOf = async (sql: Queryable, storeId: string, about: string) =>
  (
    await sql<Pick<Credit, 'amount' | 'currency'>[]>`select amount, currency from subscription_credits
      where store_id = ${storeId} and kind = 'in_app' and about = ${about}`
  )[0]

/** For which store it was used; undefined where nobody has. */
export const findReceiptUser = async (sql: Queryable, shop: string, transactionId: string) =>
  (
    await sql<
      { forStore: string }[]
    >`select for_store from subscription_receipts where shop = ${shop} and transaction_id = ${transactionId}`
  )[0]?.forStore
