import type { Queryable } from '../data/sql.ts'

export interface Difference {
  readonly what: string
  readonly id: string
  readonly says: string
}

/** Orders whose goods are not where their status says. */
export const ordersAgainstReservations = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'order' as what, o.id, o.status || ', its reservation ' || coalesce(r.status, 'missing') as says
    from orders o left join inventory_reservations r on r.id = o.reservation_id
    where o.deleted_at is null and (
      (o.reservation_id is not null and o.fulfilment_id is null and r.status is distinct from 'active')
      or (o.fulfilment_id is not null and r.status is distinct from 'fulfilled')
      or (o.status in ('cancelled', 'returned') and o.reservation_id is not null)) limit ${most}`

/** Parcels whose status is not what their timeline ends with. A parcel on its way to the carrier has no line of that yet. */
export const parcelsAgainstTimelines = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'parcel' as what, p.id, p.status || ', its timeline ' || coalesce(e.to_status, 'created') as says
    from parcels p left join lateral (
      select to_status from parcel_events e where e.project_id = p.project_id and e.parcel_id = p.id and e.to_status is not null order by e.id desc limit 1) e on true
    where p.status <> 'submitting' and p.status <> coalesce(e.to_status, 'created') limit ${most}`

/** Orders that say one thing and their parcel another. */
export const ordersAgainstParcels = (sql: Queryable, most: number) =>
  sql<Difference[]>`
    select 'order' as what, o.id, o.status || ', its parcel ' || p.status as says from orders o join parcels p on p.id = o.parcel_id
    where o.deleted_at is null and ((p.status = 'delivered') <> (o.status = 'delivered') or (p.status = 'returned') <> (o.status = 'returned')) limit ${most}`
