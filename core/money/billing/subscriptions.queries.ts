import { keyedByProject, projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Period } from './periods/periods.ts'
import { FREE_PLAN, type PlanLimits } from './plans/plans.model.ts'
import { type InvoiceReason, type SubscriptionStatus, statusesWithPlan } from './statuses.ts'
import type { InvoiceLine } from './subscriptions.model.ts'

/** Row of `plans`. `numeric` columns come as text. */
export interface PlanRow {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly price: string
  readonly currency: string
  readonly limits: PlanLimits
  readonly extraOrderPrice: string | null
  readonly trialDays: number
  readonly appStoreProduct: string | null
  readonly playStoreProduct: string | null
  readonly available: boolean
}

/**
 * Row of `subscriptions`. `numeric` columns come as text. `rate` is the paid price per month, `anchor` the date from which months are
 * counted.
 */
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
/** Columns of a subscription that can be written. */
export type SubscriptionChange = Partial<Omit<SubscriptionRow, 'storeId'>>

/** Row of `subscription_invoices`. `numeric` columns come as text. An invoice with `voidAt` is an offer until then. */
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

/** Finds a plan by code. */
export const findPlan = async (sql: Queryable, code: string) => (await sql<PlanRow[]>`select * from plans where code = ${code}`)[0]

/** Returns whether a plan has prices in a currency. */
export const hasPlanInCurrency = async (sql: Queryable, currency: string) =>
  (await sql`select 1 from plans where currency = ${currency} limit 1`).length > 0

/** Lists the plans that can be chosen and the current one, cheapest first. */
export const listAvailablePlans = (sql: Queryable, current: string) =>
  sql<PlanRow[]>`select * from plans where available or code = ${current} order by price, id limit 100`

/** Finds the plan that is sold as a product in an app store. */
export const findPlanOfProduct = async (sql: Queryable, shop: 'app_store' | 'play_store', product: string) =>
  (
    await sql<PlanRow[]>`select * from plans where ${shop === 'app_store' ? sql`app_store_product` : sql`play_store_product`} = ${product}`
  )[0]

/** Returns the plan that a store has now, the free plan by default. */
export const findPlanInForce = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<PlanRow[]>`select * from plans where code = coalesce(
      (select plan from subscriptions where project_id = ${projectIdOf(storeId)} and status in ${sql(statusesWithPlan)}), ${FREE_PLAN})`,
  )

/** Lists the plans that stores have now, the free plan by default. */
export const listPlansInForce = (sql: Queryable, storeIds: readonly string[]) =>
  sql<{ storeId: string; code: string; name: string }[]>`
    select s.id as store_id, p.code, p.name from unnest(${storeIds as string[]}::text[], ${storeIds.map(projectIdOf)}::text[]) s(id, project_id)
    left join subscriptions b on b.project_id = s.project_id and b.status in ${sql(statusesWithPlan)}
    join plans p on p.code = coalesce(b.plan, ${FREE_PLAN})`

/** Returns whether a store exists, and locks it against deletion until the transaction ends. */
export const lockStore = async (sql: Tx, storeId: string) =>
  (await sql`select 1 from stores where id = ${storeId} and deleted_at is null for key share`).length > 0

/** Finds the subscription of a store. */
export const findSubscription = async (sql: Queryable, storeId: string) =>
  (
    await sql<
      SubscriptionRow[]
    >`select *, ${storeIdColumn(sql, 'subscriptions')} from subscriptions where project_id = ${projectIdOf(storeId)}`
  )[0]

/**
 * Locks the subscription of a store until the transaction ends, and creates a free one if it has none. Lock it after the store and before
 * its payments.
 */
export const lockSubscription = async (sql: Tx, storeId: string) => {
  await sql`with store as (select project_id from stores where id = ${storeId} for key share)
    insert into subscriptions (project_id, plan, status, currency)
    select store.project_id, code, 'active', currency from store, plans where code = ${FREE_PLAN} on conflict do nothing`
  return expectOne(
    await sql<
      SubscriptionRow[]
    >`select *, ${storeIdColumn(sql, 'subscriptions')} from subscriptions where project_id = ${projectIdOf(storeId)} for update`,
  )
}

/** Updates columns of a subscription and returns it. */
export const updateSubscription = async (sql: Tx, storeId: string, change: SubscriptionChange) =>
  expectOne(
    await sql<
      SubscriptionRow[]
    >`update subscriptions set ${rowValues(sql, { ...change, updatedAt: new Date() })} where project_id = ${projectIdOf(storeId)} returning *, ${storeIdColumn(sql, 'subscriptions')}`,
  )

/** Lists stores whose subscription is due for processing, in order of id, after the store `after`. */
export const listDueSubscriptions = (sql: Queryable, now: number, after: string, most: number) =>
  sql<
    { storeId: string }[]
  >`select ${storeIdColumn(sql, 'subscriptions')} from subscriptions where look_at <= ${at(now)} and project_id > ${after === '' ? '' : projectIdOf(after)}
    order by project_id limit ${most}`

/** Lists stores whose plan limits orders per month, in order of id, after the store `after`. */
export const listStoresWithOrderLimit = (sql: Queryable, after: string, most: number) =>
  sql<
    { storeId: string }[]
  >`select s.id as store_id from stores s left join subscriptions o on o.project_id = s.project_id and o.status in ${sql(statusesWithPlan)}
    join plans p on p.code = coalesce(o.plan, ${FREE_PLAN})
    where (p.limits->>'ordersPerMonth') is not null and s.deleted_at is null and s.id > ${after} order by s.id limit ${most}`

/** Values of a new invoice. */
export type NewInvoice = Omit<InvoiceRow, 'status' | 'paidAt' | 'createdAt'>
/** Inserts an open invoice and returns it. */
export const insertInvoice = async (sql: Tx, invoice: NewInvoice) =>
  expectOne(
    await sql<InvoiceRow[]>`insert into subscription_invoices ${rowValues(sql, keyedByProject(invoice), ['lines'])}
      returning *, ${storeIdColumn(sql, 'subscription_invoices')}`,
  )

/** Lists open invoices, earliest due date first. Includes offers that were valid at `since`, unless their period has ended. */
export const listOpenInvoices = (sql: Queryable, storeId: string, now: number, since = now) =>
  sql<
    InvoiceRow[]
  >`select *, ${storeIdColumn(sql, 'subscription_invoices')} from subscription_invoices where project_id = ${projectIdOf(storeId)} and status = 'open'
    and (void_at is null or (void_at > ${at(since)} and coalesce(period_end > ${at(now)}, true))) order by due_at, id limit 100`

/** Lists invoices of a store, newest first, starting before the id `before`. */
export const listInvoices = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<
    InvoiceRow[]
  >`select *, ${storeIdColumn(sql, 'subscription_invoices')} from subscription_invoices where project_id = ${projectIdOf(storeId)}
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Returns whether the period that starts then has a renewal invoice that is not void. */
export const hasRenewalInvoice = async (sql: Queryable, storeId: string, periodStart: string) =>
  (
    await sql`select 1 from subscription_invoices
      where project_id = ${projectIdOf(storeId)} and reason = 'renewal' and status <> 'void' and period_start = ${periodStart}`
  ).length > 0

/** Counts the extra orders of a period that were invoiced already. */
export const countInvoicedExtraOrders = async (sql: Queryable, storeId: string, { start, end }: Period) =>
  expectOne(
    await sql<{ count: number }[]>`select coalesce(sum((line->>'quantity')::int), 0)::int as count
      from subscription_invoices, jsonb_array_elements(lines) line
      where project_id = ${projectIdOf(storeId)} and reason = 'extra_orders' and status <> 'void' and period_start >= ${at(start)} and period_end <= ${at(end)}`,
  ).count

/** Marks an open invoice as paid. */
export const markInvoicePaid = (sql: Tx, { storeId, id }: Pick<InvoiceRow, 'storeId' | 'id'>, now: number) =>
  sql`update subscription_invoices set status = 'paid', paid_at = ${at(now)}
    where project_id = ${projectIdOf(storeId)} and id = ${id} and status = 'open'`

/** Voids open invoices with these reasons. */
export const voidOpenInvoices = (sql: Tx, storeId: string, reasons: readonly InvoiceReason[]) =>
  sql`update subscription_invoices set status = 'void' where project_id = ${projectIdOf(storeId)} and status = 'open' and reason in ${sql(reasons)}`

/** Voids the open offer of a plan. */
export const voidPlanOffer = (sql: Tx, storeId: string, plan: string) =>
  sql`update subscription_invoices set status = 'void'
    where project_id = ${projectIdOf(storeId)} and status = 'open' and plan = ${plan} and void_at is not null`

/** Entry of a store's credit account. `about` identifies its payment, purchase or invoice. */
export interface CreditEntry {
  readonly storeId: string
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'in_app' | 'invoice' | 'admin'
  readonly amount: string
  readonly currency: string
  readonly about: string
}
/** Inserts a credit entry. */
export const insertCredit = (sql: Tx, credit: CreditEntry) =>
  sql`insert into subscription_credits ${rowValues(sql, keyedByProject(credit))}`

/** Returns the credit of a store by currency, without zero sums. */
export const listCredits = (sql: Queryable, storeId: string) =>
  sql<{ currency: string; amount: string }[]>`select currency, sum(amount) as amount from subscription_credits
    where project_id = ${projectIdOf(storeId)} group by currency having sum(amount) <> 0 order by currency`

/** Lists email addresses of the platform's administrators. */
export const listAdministratorEmails = async (sql: Queryable) =>
  (await sql<{ email: string }[]>`select email from users where is_admin order by id`).map(({ email }) => email)

/** Records the use of a receipt. Returns false if it was used before. */
export const insertReceiptIfUnused = async (sql: Tx, receipt: ReceiptKey & { readonly forProject: string; readonly product: string }) =>
  (await sql`insert into subscription_receipts ${rowValues(sql, receipt)} on conflict do nothing`).count > 0

/** Key of a receipt of an in-app purchase. */
export interface ReceiptKey {
  readonly shop: 'app_store' | 'play_store'
  readonly transactionId: string
}

/**
 * Marks a receipt as refunded, even if it was never used. Returns the project that used it, empty if none did, or undefined if it was
 * marked before.
 */
export const markReceiptRefunded = async (sql: Tx, receipt: ReceiptKey) =>
  (
    await sql<
      { forProject: string }[]
    >`insert into subscription_receipts ${rowValues(sql, { ...receipt, forProject: '', product: '', takenBack: true })}
      on conflict (shop, transaction_id) do update set taken_back = true where not subscription_receipts.taken_back returning for_project`
  )[0]?.forProject

/** Clears the refund mark of a receipt. Returns the project that used it, or undefined if none did or it was not marked. */
export async function unmarkReceiptRefunded(sql: Tx, { shop, transactionId }: ReceiptKey) {
  await sql`delete from subscription_receipts where shop = ${shop} and transaction_id = ${transactionId} and for_project = ''`
  const rows = await sql<{ forProject: string }[]>`update subscription_receipts set taken_back = false
    where shop = ${shop} and transaction_id = ${transactionId} and taken_back returning for_project`
  return rows[0]?.forProject
}

/** Finds the credit entry of an in-app purchase. */
export const findInAppCredit = async (sql: Queryable, storeId: string, about: string) =>
  (
    await sql<Pick<CreditEntry, 'amount' | 'currency'>[]>`select amount, currency from subscription_credits
      where project_id = ${projectIdOf(storeId)} and kind = 'in_app' and about = ${about}`
  )[0]

/** Finds the project that used a receipt; undefined if none did. */
export const findReceiptUser = async (sql: Queryable, shop: string, transactionId: string) =>
  (
    await sql<
      { forProject: string }[]
    >`select for_project from subscription_receipts where shop = ${shop} and transaction_id = ${transactionId}`
  )[0]?.forProject
