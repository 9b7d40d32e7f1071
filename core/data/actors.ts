import type { Queryable } from './sql.ts'

type Fragment = ReturnType<Queryable>

/**
 * Joins the tables that name a row's actor: users `u`, API keys `k`, connections `i`, apps `p` and administrators `a`. `of` is the alias of
 * the row, which has `by_kind`, `by_id`, `app_id` and `admin_id`. `projectId` is its project.
 */
export const joinActors = (sql: Queryable, of: Fragment, projectId: string) => sql`
  left join users u on ${of}.by_kind = 'person' and u.id = ${of}.by_id left join api_keys k on ${of}.by_kind = 'key' and k.id = ${of}.by_id
  left join integrations i on ${of}.by_kind in ('connector', 'carrier') and i.project_id = ${projectId} and i.id = ${of}.by_id
  left join apps p on p.id = ${of}.app_id left join users a on a.id = ${of}.admin_id`

/** Selects the current name of an actor. Needs the tables of `joinActors`. */
export const actorNameColumn = (sql: Queryable) => sql`coalesce(u.name, k.name, nullif(i.name, ''), i.key)`

/** Selects the actor of row `c` as JSON, as the API shows it. Needs the tables of `joinActors`. */
export const actorJson = (
  sql: Queryable,
) => sql`json_build_object('kind', c.by_kind, 'id', nullif(c.by_id, ''), 'name', ${actorNameColumn(sql)},
  'appId', c.app_id, 'appName', p.name, 'administrator', case when c.admin_id is not null then json_build_object('id', c.admin_id, 'name', a.name) end)`

/** Relation of one row with the columns of an actor that is stored as JSON. Null is the system. */
export const actorOfJson = (sql: Queryable, column: Fragment) => sql`(select coalesce(${column} ->> 'kind', 'system') as by_kind,
  coalesce(${column} ->> 'id', '') as by_id, ${column} ->> 'appId' as app_id, ${column} ->> 'adminId' as admin_id)`
