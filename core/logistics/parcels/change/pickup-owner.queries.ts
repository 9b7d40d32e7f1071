import type { Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/**
 * Returns true if the stored lists have a pickup point with this id at another carrier of the project, and none at this one. All connections
 * to one adapter are one carrier. Without a stored list of this carrier it is false: the carrier itself then judges the id.
 */
export const isPickupOfOther = async (sql: Queryable, { projectId, id }: ConnectionRef, pickupId: string): Promise<boolean> => {
  const [found] = await sql<{ isListed: boolean | null; isOwn: boolean | null; isOther: boolean | null }[]>`
    select bool_or(i.key = own.key) as is_listed, bool_or(i.key = own.key and p.center_id = ${pickupId}) as is_own,
      bool_or(i.key <> own.key and p.center_id = ${pickupId}) as is_other
    from integrations own, pickups p join integrations i on i.project_id = p.project_id and i.id = p.connection_id
    where own.project_id = ${projectId} and own.id = ${id} and p.project_id = ${projectId}`
  return found?.isListed === true && found.isOther === true && found.isOwn !== true
}
