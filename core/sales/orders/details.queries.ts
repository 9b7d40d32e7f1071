import { one, type Queryable } from '../../data/sql.ts'
import type { OrderDetails } from './details.model.ts'
import type { OrderKey } from './orders.queries.ts'

const CHANGES_SHOWN = 100
const RETURNS_SHOWN = 100

export type Beside = Pick<OrderDetails, 'history' | 'returns'>

const at = (sql: Queryable, column = 'created_at') => sql`to_char(c.${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What is shown beside an order: its changes of status and what came back of it, oldest first. */
export const findBeside = async (sql: Queryable, { storeId, id }: OrderKey): Promise<Beside> =>
  one(
    await sql<Beside[]>`select
      coalesce((select json_agg(json_build_object('fromStatus', c.from_status, 'toStatus', c.to_status, 'reason', c.reason, 'at', ${at(sql)},
          'by', json_build_object('kind', c.by_kind, 'id', nullif(c.by_id, ''), 'name', coalesce(u.name, k.name),
            'administrator', case when c.admin_id is not null then json_build_object('id', c.admin_id, 'name', a.name) end)) order by c.id)
        from (select * from order_status_changes where store_id = ${storeId} and order_id = ${id} order by id desc limit ${CHANGES_SHOWN}) c
        left join users u on c.by_kind = 'person' and u.id = c.by_id left join api_keys k on c.by_kind = 'key' and k.id = c.by_id
        left join users a on a.id = c.admin_id), '[]') as history,
      coalesce((select json_agg(json_build_object('id', c.id, 'status', c.status, 'restocked', c.restocked, 'operationId', c.operation_id,
          'exchangeOrderId', c.exchange_order_id, 'note', c.note, 'createdAt', ${at(sql)}, 'receivedAt', ${at(sql, 'received_at')},
          'items', (select json_agg(json_build_object('item', l.line - 1, 'quantity', l.quantity) order by l.line) from order_return_lines l
            where l.store_id = c.store_id and l.order_id = c.order_id and l.return_id = c.id)) order by c.id)
        from (select * from order_returns where store_id = ${storeId} and order_id = ${id} order by id desc limit ${RETURNS_SHOWN}) c), '[]') as returns`,
  )
