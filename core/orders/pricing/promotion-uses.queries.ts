import { projectIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'

/** Locks the promotion that an order uses and returns its limits per phone number; undefined without one. */
export const lockUsedPromotion = async (sql: Tx, { storeId, id }: OrderKey) =>
  (
    await sql<{ promoId: string; firstOrderOnly: boolean; perCustomerLimit: number | null }[]>`
      select p.id as promo_id, p.first_order_only, p.per_customer_limit
      from promo_redemptions r join promos p on p.id = r.promo_id where r.project_id = ${projectIdOf(storeId)} and r.order_id = ${id} for update of p`
  )[0]

/** Counts the uses of a promotion by a phone number, without this order. */
export const countOtherUses = async (sql: Tx, promoId: string, phone: string, orderId: string) =>
  (await sql`select 1 from promo_redemptions where promo_id = ${promoId} and phone = ${phone} and order_id <> ${orderId}`).count
