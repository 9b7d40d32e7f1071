import type { Queryable } from '../../../data/sql.ts'

/** Parcel with the texts by which a code finds it. */
export interface CodedParcel {
  readonly id: string
  readonly isCancelled: boolean
  readonly carrierAccountId: string | null
  readonly trackingId: string | null
  readonly reference: string
  readonly orderReference: string | null
}

/** Lists parcels of a project that one of the codes names: by tracking number, by reference, or by the reference of their order. */
export function listCodedParcels(sql: Queryable, projectId: string, codes: readonly string[]) {
  const texts = codes as string[]
  return sql<CodedParcel[]>`
    select par.id, par.status = 'cancelled' as is_cancelled, par.carrier_account_id, par.tracking_id, par.reference, o.reference as order_reference
    from parcels par left join orders o on o.project_id = par.project_id and o.id = par.order_id
    where par.project_id = ${projectId} and par.id in (
      select id from parcels where project_id = ${projectId} and tracking_id = any (${texts})
      union select id from parcels where project_id = ${projectId} and reference = any (${texts})
      union select x.id from parcels x join orders y on y.project_id = x.project_id and y.id = x.order_id
        where y.project_id = ${projectId} and y.reference = any (${texts}) and x.project_id = ${projectId} and x.status <> 'cancelled')`
}
