import { countWaiting } from '../../../data/waiting.ts'

/** Counts the connections that a person must sign in to again or repair. */
export const countConnectionsToRepair = countWaiting(
  (sql, projectId) => sql`
    select attention_since as at, id as "connectionId" from integrations
    where project_id = ${projectId} and attention is not null and deleted_at is null order by id`,
)
