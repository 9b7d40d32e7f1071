import type { Queryable, Tx } from '../../../data/sql.ts'
import type { PromoRow } from './promos.model.ts'

/** Finds a promotion of a store by its code, without regard to case. */
export const findPromoByCode = async (sql: Queryable, projectId: string, code: string) =>
  (
    await sql<(PromoRow & { readonly uses: number })[]>`
      select id, code, kind, value, minimum_subtotal, maximum_discount, product_ids, category_ids, state_codes, delivery_types,
        first_order_only, usage_limit, per_customer_limit, starts_at, ends_at, enabled, uses
      from promos where project_id = ${projectId} and lower(code) = lower(${code})`
  )[0]

/** Returns those of the ids that name no row of the store. */
export const findUnknownIds = async (sql: Queryable, table: 'products' | 'categories', projectId: string, ids: readonly string[]) =>
  (
    await sql<{ id: string }[]>`select i.id from unnest(${ids as string[]}::text[]) as i (id)
      where not exists (select 1 from ${sql(table)} t where t.project_id = ${projectId} and t.id = i.id)`
  ).map(({ id }) => id)

/** Use of a promotion by one order. */
export interface Redemption {
  readonly projectId: string
  readonly promoId: string
  readonly orderId: string
  readonly phone: string
}

/**
 * Counts one use of an enabled promotion that has uses left, and returns its limits. Returns undefined where none is left. Locks the
 * promotion until the transaction ends.
 */
export const claimPromoUse = async (sql: Tx, { projectId, promoId }: Pick<Redemption, 'projectId' | 'promoId'>) =>
  (
    await sql<{ perCustomerLimit: number | null; firstOrderOnly: boolean }[]>`
      update promos set uses = uses + 1 where project_id = ${projectId} and id = ${promoId} and enabled and (usage_limit is null or uses < usage_limit)
      returning per_customer_limit, first_order_only`
  )[0]

/** Records that an order uses a promotion. */
export const insertRedemption = (sql: Tx, { projectId, promoId, orderId, phone }: Redemption) =>
  sql`insert into promo_redemptions (project_id, promo_id, order_id, phone) values (${projectId}, ${promoId}, ${orderId}, ${phone})`

/** Moves the redemption of an order to another phone number, whose limit it counts for from now on. */
export const updateRedemptionPhone = (sql: Tx, projectId: string, orderId: string, phone: string) =>
  sql`update promo_redemptions set phone = ${phone} where project_id = ${projectId} and order_id = ${orderId}`

/** Counts the uses of a promotion by one phone number. The caller holds the lock of the promotion. */
export const countUsesOfPhone = async (sql: Tx, { projectId, promoId, phone }: Omit<Redemption, 'orderId'>) =>
  (await sql`select 1 from promo_redemptions where project_id = ${projectId} and promo_id = ${promoId} and phone = ${phone}`).count

/** Deletes the redemptions of these orders and frees their uses. */
export const deleteRedemptions = (sql: Tx, projectId: string, orderIds: readonly string[]) =>
  sql`with gone as (delete from promo_redemptions where project_id = ${projectId} and order_id = any (${orderIds as string[]}) returning promo_id),
      counted as (select promo_id, count(*)::int as uses from gone group by promo_id)
    update promos p set uses = p.uses - c.uses from counted c where p.project_id = ${projectId} and p.id = c.promo_id`

/** Records a use again, even beyond the limit. Does nothing where the promotion is deleted or the use is recorded already. */
export const reinsertRedemption = (sql: Tx, { projectId, promoId, orderId, phone }: Redemption) =>
  sql`with taken as (insert into promo_redemptions (project_id, promo_id, order_id, phone)
      select ${projectId}, id, ${orderId}, ${phone} from promos where project_id = ${projectId} and id = ${promoId} on conflict do nothing returning promo_id)
    update promos set uses = uses + 1 where project_id = ${projectId} and id in (select promo_id from taken)`
