import type { Queryable } from '../../data/sql.ts'

export interface TurnRow {
  readonly projectId: string
  readonly parcelId: string
  readonly id: string
  readonly fields: readonly string[] | null
}

/** Whether the turn is taken now: nobody has it. */
export const addTurn = async (sql: Queryable, { projectId, parcelId, id, fields }: TurnRow, seconds: number) =>
  (
    await sql`insert into parcel_turns (project_id, parcel_id, id, fields, until)
      values (${projectId}, ${parcelId}, ${id}, ${fields as string[] | null}, now() + ${seconds} * interval '1 second')
      on conflict do nothing`
  ).count > 0

export const deleteTurn = async (sql: Queryable, { projectId, parcelId, id }: TurnRow) => {
  await sql`delete from parcel_turns where project_id = ${projectId} and parcel_id = ${parcelId} and id = ${id}`
}

/** Those that nobody will give back. */
export const listLostTurns = (sql: Queryable, of: { readonly projectId: string; readonly parcelId: string } | null) =>
  sql<TurnRow[]>`select project_id, parcel_id, id, fields from parcel_turns
    where until < now() ${of === null ? sql`` : sql`and project_id = ${of.projectId} and parcel_id = ${of.parcelId}`} order by until limit 500`
