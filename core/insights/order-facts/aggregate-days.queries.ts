import type { Queryable, Tx } from '../../data/sql.ts'
import { countedCells, type DayRun, dimensions, ordersOfRun, type StoreZone, startOfDay } from './counting.queries.ts'

/** Lists stores with changed orders, by skipping through the index of marks. */
export const listMarkedStores = (sql: Queryable, after: string, most: number) =>
  sql<{ storeId: string }[]>`
    with recursive marked (store_id) as (
      (select store_id from analytics_marks where store_id > ${after} order by store_id limit 1)
      union all
      select (select m.store_id from analytics_marks m where m.store_id > marked.store_id order by m.store_id limit 1) from marked where marked.store_id is not null
    ) select store_id from marked where store_id is not null limit ${most}`

/** Lists the days of a store to count again: with changed orders, or counted in another time zone. Oldest first. */
export const listStaleDays = async (sql: Queryable, { storeId, timeZone }: StoreZone, most: number, after: string) =>
  (
    await sql<{ day: string }[]>`
      select to_char(day, 'YYYY-MM-DD') as day from (
        select distinct (at at time zone ${timeZone})::date as day from analytics_marks where store_id = ${storeId}
        union select day from analytics_days where store_id = ${storeId} and time_zone <> ${timeZone}) d
      where d.day > coalesce(nullif(${after}, '')::date, '-infinity') order by d.day limit ${most}`
  ).map(({ day }) => day)

/** Deletes the visible marks of a run. A mark that is added later stays, and its day is counted again. */
export const deleteMarksOfRun = (sql: Tx, { storeId, timeZone }: StoreZone, { from, until }: DayRun) =>
  sql`delete from analytics_marks where store_id = ${storeId} and at >= ${startOfDay(sql, timeZone, from)} and at < ${startOfDay(sql, timeZone, until)}`

/** Deletes all marks of a store. */
export const deleteMarks = (sql: Queryable, storeId: string) => sql`delete from analytics_marks where store_id = ${storeId}`

/** Replaces the cells of a day with newly counted ones. */
export async function replaceDay(sql: Tx, whose: StoreZone, run: DayRun) {
  const { storeId, timeZone } = whose
  const day = run.from
  await sql`delete from analytics_cells where store_id = ${storeId} and dimension = any (${dimensions as string[]}) and day = ${day}::date`
  const parts = dimensions.map(
    (dimension) => sql`select ${storeId}, ${dimension}, c.* from (${countedCells(sql, whose, dimension, sql`fresh`)}) c`,
  )
  await sql`
    with fresh as materialized (${ordersOfRun(sql, whose, run)})
    insert into analytics_cells (store_id, dimension, day, key, status, orders, units, goods, delivery, discount, total, paid, cost, units_without_cost,
      exchanges, kept, kept_delivery, returned, to_come)
    ${parts.reduce((whole, part) => sql`${whole} union all ${part}`)}`
  await sql`insert into analytics_days (store_id, day, time_zone) values (${storeId}, ${day}::date, ${timeZone})
    on conflict (store_id, day) do update set time_zone = excluded.time_zone`
}
