import { countWaiting } from '../../data/waiting.ts'

/** Counts the payouts of carriers that were read and not confirmed. */
export const countDraftRemittances = countWaiting(
  (sql, projectId) => sql`
    select created_at as at, connection_id as "connectionId", id as "payoutId" from remittances
    where project_id = ${projectId} and state = 'draft' order by created_at, id`,
)
