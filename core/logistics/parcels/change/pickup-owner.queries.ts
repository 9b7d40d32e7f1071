import type { Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/** Returns true if the stored lists have a pickup point with this id at another carrier of the project, and none at this one. */
export const isPickupOfOther = async (sql: Queryable, { projectId, id }: ConnectionRef, pickupId: string): Promise<boolean> => {
  const [found] = await sql<{ isOwn: boolean | null; isOther: boolean | null }[]>`
    select bool_or(connection_id = ${id}) as is_own, bool_or(connection_id <> ${id}) as is_other
    from pickups where project_id = ${projectId} and center_id = ${pickupId}`
  return found?.isOther === true && found.isOwn !== true
}
