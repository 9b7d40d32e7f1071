import type { Tx } from '../../data/sql.ts'

/** Uses of one promotion by one phone number. */
interface PhoneUses {
  readonly projectId: string
  readonly promoId: string
  readonly phone: string
}

/** Locks the promotion that an order uses and returns its limits per phone number; undefined without one. */
export const lockUsedPromotion = async (sql: Tx, { projectId, id }: { readonly projectId: string; readonly id: string }) =>
  (
    await sql<{ promoId: string; firstOrderOnly: boolean; perCustomerLimit: number | null }[]>`
      select p.id as promo_id, p.first_order_only, p.per_customer_limit
      from promo_redemptions r join promos p on p.project_id = r.project_id and p.id = r.promo_id
      where r.project_id = ${projectId} and r.order_id = ${id} for update of p`
  )[0]

/** Counts the uses of a promotion by a phone number, without this order. */
export const countOtherUses = async (sql: Tx, { projectId, promoId, phone }: PhoneUses, orderId: string) =>
  (
    await sql`select 1 from promo_redemptions where project_id = ${projectId} and promo_id = ${promoId} and phone = ${phone} and order_id <> ${orderId}`
  ).count
