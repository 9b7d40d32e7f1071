import { actorJson, joinActors } from '../../data/actors.ts'
import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { AuditActor } from '../../platform/audit/audit.model.ts'
import type { OrderKey } from '../orders.queries.ts'
import type { OrderDetails } from './details.model.ts'

const CHANGES_SHOWN = 100
const RETURNS_SHOWN = 100

/** History and returns of an order, and its creator. */
export type OrderRecords = Pick<OrderDetails, 'history' | 'returns'> & { readonly maker: AuditActor }

const isoTime = (sql: Queryable, column = 'created_at') =>
  sql`to_char(c.${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Relation of one row with the columns of an actor. */
const actorRelation = (
  sql: Queryable,
  by: Actor | null,
) => sql`(select ${by?.kind ?? 'system'}::text as by_kind, ${by?.id ?? ''}::text as by_id,
  ${by?.appId ?? null}::text as app_id, ${by?.adminId ?? null}::text as admin_id)`

/** Reads the status changes and returns of an order, oldest first, and its creator. */
export const findOrderRecords = async (sql: Queryable, { storeId, id }: OrderKey, maker: Actor | null): Promise<OrderRecords> =>
  expectOne(
    await sql<OrderRecords[]>`select
      coalesce((select json_agg(json_build_object('fromStatus', c.from_status, 'toStatus', c.to_status, 'reason', c.reason, 'at', ${isoTime(sql)},
          'by', ${actorJson(sql)}) order by c.id)
        from (select * from order_status_changes where project_id = ${projectIdOf(storeId)} and order_id = ${id} order by id desc limit ${CHANGES_SHOWN}) c
        ${joinActors(sql, sql`c`, projectIdOf(storeId))}), '[]') as history,
      (select ${actorJson(sql)} from ${actorRelation(sql, maker)} c ${joinActors(sql, sql`c`, projectIdOf(storeId))}) as maker,
      coalesce((select json_agg(json_build_object('id', c.id, 'status', c.status, 'restocked', c.restocked, 'operationId', c.operation_id,
          'exchangeOrderId', c.exchange_order_id, 'note', c.note, 'createdAt', ${isoTime(sql)}, 'receivedAt', ${isoTime(sql, 'received_at')},
          'items', (select json_agg(json_build_object('item', l.line - 1, 'quantity', l.quantity) order by l.line) from order_return_lines l
            where l.project_id = c.project_id and l.order_id = c.order_id and l.return_id = c.id)) order by c.id)
        from (select * from order_returns where project_id = ${projectIdOf(storeId)} and order_id = ${id} order by id desc limit ${RETURNS_SHOWN}) c), '[]') as returns`,
  )
