import { countWaiting } from '../../data/waiting.ts'

/** Counts the payouts of carriers that were read and not confirmed, without those of removed connections. */
export const countDraftRemittances = countWaiting(
  (sql, projectId) => sql`
    select r.created_at as at, r.connection_id as "connectionId", r.id as "payoutId"
    from remittances r join integrations i on i.project_id = r.project_id and i.id = r.connection_id and i.deleted_at is null
    where r.project_id = ${projectId} and r.state = 'draft' order by r.created_at, r.id`,
)
