import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'
import type { PersonExport } from './privacy.model.ts'

/** Maximum number of rows of a table in one export. */
const ROWS_MAX = 5_000

type PersonTables = Omit<PersonExport['data'], 'customer' | 'exportedAt'>

/** Reads all rows of a person by phone number: orders, parcels, payments, returns, calls, feedback, blocks and shop orders. */
export const readPersonData = async (
  sql: Queryable,
  { storeId, projectId }: { storeId: string; projectId: string },
  phones: readonly string[],
) => {
  const { found } = expectOne(
    await sql<{ found: PersonTables }[]>`
    with o as materialized (select * from orders where project_id = ${projectIdOf(storeId)} and customer_phone = any (${phones as string[]}) and deleted_at is null order by id limit ${ROWS_MAX}),
    p as materialized (
      select * from parcels where project_id = ${projectId} and order_id in (select id from o)
      union select * from parcels where project_id = ${projectId} and recipient ->> 'phone' = any (${phones as string[]}) limit ${ROWS_MAX})
    select jsonb_build_object(
      'orders', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'reference', reference, 'status', status, 'name', customer_name, 'phone', customer_phone,
        'phoneAlt', customer_phone_alt, 'email', customer_email, 'destination', destination, 'note', note, 'promoCode', promo_code, 'total', total::text,
        'source', source, 'network', network::text, 'metadata', metadata, 'createdAt', created_at,
        'items', (select coalesce(jsonb_agg(jsonb_build_object('name', i.name, 'quantity', i.quantity, 'unitPrice', i.unit_price::text) order by i.line), '[]')
          from order_items i where i.project_id = o.project_id and i.order_id = o.id),
        'history', (select coalesce(jsonb_agg(jsonb_build_object('from', h.from_status, 'to', h.to_status, 'reason', h.reason, 'at', h.created_at) order by h.id), '[]')
          from order_status_changes h where h.project_id = o.project_id and h.order_id = o.id)) order by id), '[]') from o),
      'parcels', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'reference', reference, 'trackingId', tracking_id, 'carrier', courier_id, 'status', status,
        'recipient', recipient, 'destination', destination, 'contents', contents, 'notes', notes, 'codAmount', cod_amount::text, 'metadata', metadata,
        'createdAt', created_at) order by id), '[]') from p),
      'payments', (select coalesce(jsonb_agg(jsonb_build_object('id', y.id, 'orderId', y.order_id, 'gateway', y.gateway, 'status', y.status, 'amount', y.amount::text,
        'currency', y.currency, 'createdAt', y.created_at) order by y.id), '[]') from payments y where y.project_id = ${projectId} and y.order_id in (select id from o)),
      'returns', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'orderId', r.order_id, 'note', r.note, 'createdAt', r.created_at) order by r.id), '[]')
        from order_returns r where r.project_id = ${projectIdOf(storeId)} and r.order_id in (select id from o)),
      'calls', (select coalesce(jsonb_agg(jsonb_build_object('orderId', c.order_id, 'outcome', c.outcome, 'reason', c.reason, 'at', c.created_at) order by c.id), '[]')
        from confirmation_calls c where c.project_id = ${projectIdOf(storeId)} and c.order_id in (select id from o)),
      'feedbacks', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'phone', f.phone, 'email', f.email, 'text', f.text, 'rating', f.rating,
        'comments', f.comments, 'createdAt', f.created_at) order by f.id), '[]')
        from feedbacks f where f.project_id = ${projectId} and (f.order_id in (select id from o) or f.phone = any (${phones as string[]}))),
      'blocks', (select coalesce(jsonb_agg(jsonb_build_object('kind', b.kind, 'reason', b.reason, 'createdAt', b.created_at) order by b.id), '[]')
        from store_blocks b where b.project_id = ${projectId} and b.kind = 'phone' and b.matched = any (${phones as string[]})),
      'shopOrders', (select coalesce(jsonb_agg(jsonb_build_object('externalId', c.external_id, 'number', c.number, 'told', c.told, 'createdAt', c.created_at) order by c.id), '[]')
        from connector_orders c where c.project_id = ${projectId} and c.order_id in (select id from o))) as found`,
  )
  return found
}
