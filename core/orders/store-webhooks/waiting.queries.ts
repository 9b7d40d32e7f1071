import { countWaiting } from '../../data/waiting.ts'

/** Counts the webhooks of a store whose deliveries fail. */
export const countFailingWebhooks = countWaiting(
  (sql, projectId) => sql`
    select failing_since as at from webhook_endpoints
    where project_id = ${projectId} and audience = 'store' and enabled and failing_since is not null order by id`,
)

/** Counts the webhooks of a store that were switched off because they failed. */
export const countSwitchedOffWebhooks = countWaiting(
  (sql, projectId) => sql`
    select updated_at as at from webhook_endpoints
    where project_id = ${projectId} and audience = 'store' and disabled_reason in ('gone', 'failing') order by id`,
)
