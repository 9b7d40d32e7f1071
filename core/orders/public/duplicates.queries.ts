import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'

/**
 * Returns true when a storefront order of the phone number has exactly these lines and is younger than `minutes`. `lines` are sorted keys
 * of lines.
 */
export const hasRecentDuplicate = async (sql: Queryable, storeId: string, phone: string, lines: readonly string[], minutes: number) =>
  (
    await sql`select 1 from orders o where o.project_id = ${projectIdOf(storeId)} and o.customer_phone = ${phone} and o.source = 'storefront'
      and o.deleted_at is null and o.status <> 'cancelled' and o.created_at > now() - ${minutes} * interval '1 minute'
      and ${lines as string[]}::text[] = (
        select array_agg(l.name order by l.name collate "C") from (
          select concat_ws(' ', i.product_id, coalesce(i.variant_id, '-'), coalesce(i.offer_id, '-'), i.quantity) as name
          from order_items i where i.project_id = o.project_id and i.order_id = o.id) l) limit 1`
  ).length > 0
