import { actorJson, actorOfJson, joinActors } from '../../../data/actors.ts'
import { expectOne, json, type Queryable, type Tx } from '../../../data/sql.ts'
import type { Actor } from '../../../data/tenant-context.ts'
import type { AuditActor } from '../../../platform/audit/audit.model.ts'
import type { ParcelKey, ParcelRow, ReturnCondition } from '../parcels.queries.ts'

/** Steps of a parcel that the store records by scanning it, with the columns of each. */
const columnsOf = {
  packed: ['packed_at', 'packed_by'],
  handed_over: ['handed_over_at', 'handed_over_by'],
  returned: ['return_received_at', 'return_received_by'],
} as const
/** Step of a parcel that the store records by scanning it. */
export type ScanStep = keyof typeof columnsOf

/** Time and actor of a scan. */
export interface ScanMark {
  readonly id: string
  readonly at: string
  readonly by: AuditActor
}

/** Records a step of locked parcels, where it was not recorded before. */
export function updateScanned(sql: Tx, projectId: string, ids: readonly string[], step: Exclude<ScanStep, 'returned'>, by: Actor | null) {
  const [at, actor] = columnsOf[step]
  return sql`update parcels set ${sql(at)} = now(), ${sql(actor)} = ${by && json(sql, by)}::jsonb
    where project_id = ${projectId} and id = any (${ids as string[]}) and ${sql(at)} is null`
}

/** Records that the goods of a locked parcel came back, and returns the parcel. */
export const updateReturnReceived = async (sql: Tx, { projectId, id }: ParcelKey, condition: ReturnCondition, by: Actor | null) =>
  expectOne(
    await sql<ParcelRow[]>`update parcels set return_received_at = now(), return_condition = ${condition},
        return_received_by = ${by && json(sql, by)}::jsonb
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Finds when a step of parcels was recorded, and by whom. Parcels without it are left out. */
export function listScanMarks(sql: Queryable, projectId: string, ids: readonly string[], step: ScanStep) {
  const [at, actor] = columnsOf[step]
  return sql<ScanMark[]>`select par.id, par.${sql(at)} as at, ${actorJson(sql)} as by
    from parcels par cross join lateral ${actorOfJson(sql, sql`par.${sql(actor)}`)} c ${joinActors(sql, sql`c`, projectId)}
    where par.project_id = ${projectId} and par.id = any (${ids as string[]}) and par.${sql(at)} is not null`
}
