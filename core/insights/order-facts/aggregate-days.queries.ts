import type { Queryable, Tx } from '../../data/sql.ts'
import { countedCells, type DayRun, dimensions, ordersOfRun, type ProjectZone, startOfDay } from './counting.queries.ts'

/** Lists projects with changed orders, by skipping through the index of marks. */
export const listMarkedProjects = (sql: Queryable, after: string, most: number) =>
  sql<{ projectId: string }[]>`
    with recursive marked (project_id) as (
      (select project_id from analytics_marks where project_id > ${after} order by project_id limit 1)
      union all
      select (select m.project_id from analytics_marks m where m.project_id > marked.project_id order by m.project_id limit 1) from marked where marked.project_id is not null
    ) select project_id from marked where project_id is not null limit ${most}`

/** Lists the days of a project to count again: with changed orders, or counted in another time zone. Oldest first. */
export const listStaleDays = async (sql: Queryable, { projectId, timeZone }: ProjectZone, most: number, after: string) =>
  (
    await sql<{ day: string }[]>`
      select to_char(day, 'YYYY-MM-DD') as day from (
        select distinct (at at time zone ${timeZone})::date as day from analytics_marks where project_id = ${projectId}
        union select day from analytics_days where project_id = ${projectId} and time_zone <> ${timeZone}) d
      where d.day > coalesce(nullif(${after}, '')::date, '-infinity') order by d.day limit ${most}`
  ).map(({ day }) => day)

/** Deletes the visible marks of a run. A mark that is added later stays, and its day is counted again. */
export const deleteMarksOfRun = (sql: Tx, { projectId, timeZone }: ProjectZone, { from, until }: DayRun) =>
  sql`delete from analytics_marks where project_id = ${projectId} and at >= ${startOfDay(sql, timeZone, from)} and at < ${startOfDay(sql, timeZone, until)}`

/** Deletes all marks of a project. */
export const deleteMarks = (sql: Queryable, projectId: string) => sql`delete from analytics_marks where project_id = ${projectId}`

/** Replaces the cells of a day with newly counted ones. */
export async function replaceDay(sql: Tx, whose: ProjectZone, run: DayRun) {
  const { projectId, timeZone } = whose
  const day = run.from
  await sql`delete from analytics_cells where project_id = ${projectId} and dimension = any (${dimensions as string[]}) and day = ${day}::date`
  const parts = dimensions.map(
    (dimension) => sql`select ${projectId}, ${dimension}, c.* from (${countedCells(sql, whose, dimension, sql`fresh`)}) c`,
  )
  await sql`
    with fresh as materialized (${ordersOfRun(sql, whose, run)})
    insert into analytics_cells (project_id, dimension, day, key, status, orders, units, goods, delivery, discount, total, paid, cost, units_without_cost,
      exchanges, kept, kept_delivery, returned, to_come)
    ${parts.reduce((whole, part) => sql`${whole} union all ${part}`)}`
  await sql`insert into analytics_days (project_id, day, time_zone) values (${projectId}, ${day}::date, ${timeZone})
    on conflict (project_id, day) do update set time_zone = excluded.time_zone`
}

type Keys = readonly { readonly projectId: string; readonly orderId: string }[]

const keysOf = (sql: Queryable, keys: Keys) => sql`(select distinct * from unnest(
  ${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ orderId }) => orderId)}::text[]) k (project_id, order_id)) k`

/** Marks the days of orders. */
export const insertMarks = async (sql: Tx, keys: Keys) =>
  void (await sql`insert into analytics_marks select distinct o.project_id, o.created_at
    from ${keysOf(sql, keys)} join orders o on o.project_id = k.project_id and o.id = k.order_id`)

/** Marks the days of the orders whose goods these orders replace. */
export const insertMarksOfExchanged = async (sql: Tx, keys: Keys) =>
  void (await sql`insert into analytics_marks select distinct e.project_id, e.created_at
    from ${keysOf(sql, keys)} join orders o on o.project_id = k.project_id and o.id = k.order_id
    join orders e on e.project_id = o.project_id and e.id = o.exchange_of`)
