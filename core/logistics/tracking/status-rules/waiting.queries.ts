import { countWaiting } from '../../../data/waiting.ts'

/** Counts the status words of carriers without a meaning. */
export const countUnknownStatuses = countWaiting(
  (sql, projectId) => sql`
    select u.first_seen_at as at, u.connection_id as "connectionId"
    from unknown_statuses u join integrations i on i.project_id = u.project_id and i.id = u.connection_id and i.deleted_at is null
    where u.project_id = ${projectId} order by u.connection_id, u.raw`,
)
