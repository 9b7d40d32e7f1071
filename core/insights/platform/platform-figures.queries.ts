import type { Queryable } from '../../data/sql.ts'

/** How many orders have ids from each border to the next: of an index alone, day by day. */
export const countOrdersBetween = (sql: Queryable, borders: readonly string[]) =>
  sql<{ count: number }[]>`
    select (select count(*)::int from orders o where o.id >= b.first and o.id < b.beyond) as count
    from unnest(${borders.slice(0, -1)}::text[], ${borders.slice(1)}::text[]) with ordinality as b (first, beyond, place) order by b.place`
