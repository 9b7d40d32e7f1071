import { countWaiting } from '../../../data/waiting.ts'

/** Counts the parcels that the carrier may or may not have. */
export const countUnknownOutcomes = countWaiting(
  (sql, projectId) => sql`
    select coalesce(submitting_since, updated_at) as at, id as "parcelId", order_id as "orderId", carrier_account_id as "connectionId"
    from parcels where project_id = ${projectId} and outcome_unknown order by id`,
)

/** Counts the parcels that the carrier refused. */
export const countRefusedParcels = countWaiting(
  (sql, projectId) => sql`
    select updated_at as at, id as "parcelId", order_id as "orderId", carrier_account_id as "connectionId" from parcels
    where project_id = ${projectId} and status = 'created' and last_error is not null and submit_at is null order by id`,
)
