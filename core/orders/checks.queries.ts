import type { Queryable } from '../data/sql.ts'

/** Inconsistency that the nightly check found, for the log. */
export interface Difference {
  readonly what: string
  readonly id: string
  readonly says: string
}

/** Lists orders whose stock reservation does not match their status. */
export const listReservationMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'order' as what, o.id, o.status || ', its reservation ' || coalesce(r.status, 'missing') as says
    from orders o left join inventory_reservations r on r.project_id = o.project_id and r.id = o.reservation_id
    where (o.deleted_at is null or o.reservation_id is not null) and (
      (o.reservation_id is not null and o.fulfilment_id is null and r.status is distinct from 'active')
      or (o.fulfilment_id is not null and r.status is distinct from 'fulfilled')
      or (o.status in ('cancelled', 'returned') and o.reservation_id is not null and not exists (
        select 1 from parcels p where p.project_id = o.project_id and p.id = o.parcel_id and p.status = 'returned' and p.return_condition is distinct from 'good'))
      or (o.status not in ('cancelled', 'returned') and not o.is_divided and o.reservation_id is null
        and exists (select 1 from order_items i where i.project_id = o.project_id and i.order_id = o.id and i.inventory_key is not null))) limit ${most}`

/** Lists parcels under way whose order was deleted, cancelled or changed since. */
export const listOutdatedParcels = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'parcel' as what, p.id, p.status || case when o.deleted_at is not null then ', its order was deleted'
      when o.status = 'cancelled' then ', its order is cancelled' else ', made from an older state of its order' end as says
    from parcels p join orders o on o.project_id = p.project_id and o.id = p.order_id
    where p.status not in ('cancelled', 'returned', 'lost') and (o.deleted_at is not null or o.status = 'cancelled' or o.version <> p.order_version) limit ${most}`

/** Lists deleted stores that still have parcels under way or working API keys. */
export const listActiveDeletedStores = (sql: Queryable, most: number, underWay: readonly string[]) =>
  sql<Difference[]>`
    select 'store' as what, s.id, 'deleted, its parcel ' || p.id || ' is ' || p.status as says
    from stores s join parcels p on p.project_id = s.project_id
    where s.deleted_at is not null and p.status = any (${underWay as string[]})
    union all
    select 'store', s.id, 'deleted, its API key ' || k.id || ' works' from stores s join api_keys k on k.project_id = s.project_id
    where s.deleted_at is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) limit ${most}`

/** Lists parcels whose status differs from the last status of their timeline. A parcel in `submitting` has no entry for it yet. */
export const listTimelineMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'parcel' as what, p.id, p.status || ', its timeline ' || coalesce(e.to_status, 'created') as says
    from parcels p left join lateral (
      select to_status from parcel_events e where e.project_id = p.project_id and e.parcel_id = p.id and e.to_status is not null order by e.id desc limit 1) e on true
    where p.status <> 'submitting' and p.status <> coalesce(e.to_status, 'created') limit ${most}`

/** Lists orders that are delivered or returned while their parcel is not, or the reverse. */
export const listParcelStatusMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'order' as what, o.id, o.status || ', its parcel ' || p.status as says from orders o
    join parcels p on p.project_id = o.project_id and p.id = o.parcel_id
    where o.deleted_at is null and not o.is_divided and ((p.status = 'delivered') <> (o.status = 'delivered') or (p.status = 'returned') <> (o.status = 'returned'))
      and not (o.status = 'returned' and exists (select 1 from order_returns r where r.project_id = o.project_id and r.order_id = o.id and r.status = 'received')) limit ${most}`

const isBack = (sql: Queryable) =>
  sql`not exists (select 1 from order_part_lines l where l.project_id = a.project_id and l.order_id = a.order_id and l.part_id = a.id and l.back < l.quantity)`

/** Lists awaited returns whose order or exchange has ended, and orders with more returned than ordered. */
export const listReturnMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'return' as what, r.id, 'awaited, of ' || o.id || ', which is ' || o.status || coalesce(', and exchanged by ' || e.id || ', which is ' || e.status, '') as says
    from order_returns r join orders o on o.project_id = r.project_id and o.id = r.order_id
    left join orders e on e.project_id = r.project_id and e.id = r.exchange_order_id
    where r.status = 'awaited' and (o.deleted_at is not null or o.status in ('cancelled', 'returned', 'lost')
      or e.deleted_at is not null or e.status in ('cancelled', 'returned', 'lost'))
    union all
    select 'order', i.order_id, 'of line ' || i.line || ' there were ' || i.quantity || ', of which ' || sum(l.quantity) || ' come back'
    from order_return_lines l join order_returns r on r.project_id = l.project_id and r.order_id = l.order_id and r.id = l.return_id and r.status <> 'cancelled'
    join order_items i on i.project_id = l.project_id and i.order_id = l.order_id and i.line = l.line
    group by i.project_id, i.order_id, i.line, i.quantity having sum(l.quantity) > i.quantity limit ${most}`

/** Lists parts whose reservation does not match their parcel or that have no parcel, and orders with more in parts than ordered. */
export const listPartReservationMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'part' as what, a.id, coalesce(p.status, 'no parcel') || ', its reservation ' || coalesce(r.status, 'missing') as says
    from order_parts a join orders o on o.project_id = a.project_id and o.id = a.order_id
    left join parcels p on p.project_id = a.project_id and p.id = a.parcel_id and p.part_id = a.id and p.status <> 'cancelled'
    left join inventory_reservations r on r.project_id = a.project_id and r.id = a.reservation_id
    where not o.is_divided or a.parcel_id is not null and (p.id is null
      or (a.reservation_id is not null and r.status is distinct from case when a.fulfilment_id is null then 'active' else 'fulfilled' end)
      or (a.reservation_id is not null and ((p.status = 'returned' and p.return_condition = 'good') or ${isBack(sql)}))
      or (a.reservation_id is null and p.status <> 'returned' and not ${isBack(sql)} and exists (
        select 1 from order_part_lines l join order_items i on i.project_id = l.project_id and i.order_id = l.order_id and i.line = l.line
        where l.project_id = a.project_id and l.order_id = a.order_id and l.part_id = a.id and i.inventory_key is not null)))
    union all
    select 'order', i.order_id, 'of line ' || i.line || ' there are ' || i.quantity || ', its parts have ' || sum(l.quantity)
    from order_part_lines l join order_items i on i.project_id = l.project_id and i.order_id = l.order_id and i.line = l.line
    group by i.project_id, i.order_id, i.line, i.quantity having sum(l.quantity) > i.quantity limit ${most}`

/** Lists divided orders that are delivered while their parts are not, or the reverse. */
export const listPartStatusMismatches = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'order' as what, o.id, o.status || ', its parts ' || string_agg(coalesce(p.status, 'given up'), ', ' order by a.id) as says
    from orders o join order_parts a on a.project_id = o.project_id and a.order_id = o.id
    left join parcels p on p.project_id = o.project_id and p.id = a.parcel_id
    where o.deleted_at is null group by o.project_id, o.id, o.status
    having (o.status = 'delivered') <> (bool_or(p.status = 'delivered' and not ${isBack(sql)}) is true
      and not bool_or(p.status not in ('delivered', 'returned', 'lost') and not ${isBack(sql)}) and (
        select sum(quantity) from order_items i where i.project_id = o.project_id and i.order_id = o.id) = (
        select sum(quantity) from order_part_lines l where l.project_id = o.project_id and l.order_id = o.id)) limit ${most}`
