import { eraseInOneTransaction } from '../../../data/personal-data/personal-data.ts'
import { json } from '../../../data/sql.ts'
import { ERASED } from '../../../lib/person/person-matcher.ts'
import { ERASED_CUSTOMER } from '../orders/shop-orders.queries.ts'

/** Erasure of personal data in orders of shops: the imported ones, and those in the inbox that name the person. A waiting one is closed. */
export const personalShopOrders = eraseInOneTransaction(
  'connector_orders',
  async (tx, { projectId, orderIds, requestedAt: askedAt, terms, matcher }) => {
    const rows = await tx<
      { id: string; told: string; orderId: string | null }[]
    >`select id, told::text || coalesce(raw::text, '') as told, order_id from connector_orders
    where project_id = ${projectId} and (order_id = any (${orderIds as string[]}) or id = any (${terms.ids as string[]}) or (order_id is null and created_at <= ${askedAt} and erased_at is null))
    order by id for update`
    const ids = rows
      .filter(({ id, told, orderId }) => orderId !== null || terms.ids.includes(id) || matcher.isConnected(told))
      .map(({ id }) => id)
    await tx`update connector_orders set told = (told - 'note' - 'source') || ${json(tx, ERASED_CUSTOMER)}::jsonb, applied = (applied - 'note' - 'source') || ${json(tx, ERASED_CUSTOMER)}::jsonb,
      raw = null, missing = '{}', message = case when message is not null then ${ERASED} end, erased_at = coalesce(erased_at, now()),
      state = case when state = 'waiting' then 'over' else state end, why = case when state = 'waiting' then null else why end
    where project_id = ${projectId} and id = any (${ids})`
  },
)
