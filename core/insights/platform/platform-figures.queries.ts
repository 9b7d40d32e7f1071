import type { Queryable } from '../../data/sql.ts'

/** Counts orders with ids between neighbouring borders, through an index only. */
export const countOrdersBetween = (sql: Queryable, borders: readonly string[]) =>
  sql<{ count: number }[]>`
    select (select count(*)::int from orders o where o.id >= b.first and o.id < b.beyond) as count
    from unnest(${borders.slice(0, -1)}::text[], ${borders.slice(1)}::text[]) with ordinality as b (first, beyond, place) order by b.place`
