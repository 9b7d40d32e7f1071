import type { Queryable } from '../../data/sql.ts'

/** Counter that differs from its ledger lines. */
export interface Drift {
  readonly kind: 'on_hand' | 'balance_after' | 'reserved' | 'reservation_status'
  readonly projectId: string
  /** Balance as `namespace/key/batch`, or id of the reservation. */
  readonly subject: string
  readonly expected: string
  readonly found: string
}

/** Lists counters that differ from their lines, in one snapshot; of one project, or of all. */
export const listDrift = (sql: Queryable, projectId: string | undefined, take: number) => {
  const ofProject = projectId === undefined ? sql`true` : sql`project_id = ${projectId}`
  return sql<Drift[]>`
    with line as (
      select project_id, namespace, key, batch, position, quantity, balance_after,
        sum(quantity) over (partition by project_id, namespace, key, batch order by position) as running
      from inventory_movements where ${ofProject}
    ), moved as (
      select project_id, namespace, key, batch, sum(quantity) as quantity from line group by 1, 2, 3, 4
    ), held as (
      select l.project_id, l.namespace, l.key, l.batch, sum(l.quantity - l.fulfilled) as quantity
      from inventory_reservation_lines l join inventory_reservations r on r.project_id = l.project_id and r.id = l.reservation_id
      where r.status = 'active' and ${projectId === undefined ? sql`true` : sql`l.project_id = ${projectId}`} group by 1, 2, 3, 4
    ), balance as (select * from inventory_balances where ${ofProject})
    select 'on_hand' as kind, project_id, concat_ws('/', namespace, key, batch) as subject, coalesce(m.quantity, 0)::text as expected, coalesce(b.on_hand, 0)::text as found
    from balance b full join moved m using (project_id, namespace, key, batch) where coalesce(b.on_hand, 0) <> coalesce(m.quantity, 0)
    union all
    select 'balance_after', project_id, concat_ws('/', namespace, key, batch), running::text, balance_after::text from line where running <> balance_after
    union all
    select 'reserved', project_id, concat_ws('/', namespace, key, batch), coalesce(h.quantity, 0)::text, coalesce(b.reserved, 0)::text
    from balance b full join held h using (project_id, namespace, key, batch) where coalesce(b.reserved, 0) <> coalesce(h.quantity, 0)
    union all
    select 'reservation_status', r.project_id, r.id, case when r.status = 'active' then 'fulfilled' else 'active' end, r.status
    from inventory_reservations r join inventory_reservation_lines l on l.project_id = r.project_id and l.reservation_id = r.id
    where r.status in ('active', 'fulfilled') and ${projectId === undefined ? sql`true` : sql`r.project_id = ${projectId}`}
    group by r.project_id, r.id, r.status having (sum(l.quantity - l.fulfilled) = 0) <> (r.status = 'fulfilled')
    limit ${take}`
}
