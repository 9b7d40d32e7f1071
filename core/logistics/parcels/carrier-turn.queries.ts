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

const ofTurn = (sql: Queryable, { projectId, parcelId, id }: TurnRow) =>
  sql`project_id = ${projectId} and parcel_id = ${parcelId} and id = ${id}`

/** Keeps it for so long from now. */
export const renewTurn = (sql: Queryable, turn: TurnRow, seconds: number) =>
  sql`update parcel_turns set until = now() + ${seconds} * interval '1 second' where ${ofTurn(sql, turn)}`

/** Whether it was still there. */
export const deleteTurn = async (sql: Queryable, turn: TurnRow): Promise<boolean> =>
  (await sql`delete from parcel_turns where ${ofTurn(sql, turn)}`).count > 0

/** Whether it was there, and lost. */
export const deleteLostTurn = async (sql: Queryable, turn: TurnRow): Promise<boolean> =>
  (await sql`delete from parcel_turns where ${ofTurn(sql, turn)} and until < now()`).count > 0

/** Those that nobody will give back. */
export const listLostTurns = (sql: Queryable, of: { readonly projectId: string; readonly parcelId: string } | null) =>
  sql<TurnRow[]>`select project_id, parcel_id, id, fields from parcel_turns
    where until < now() ${of === null ? sql`` : sql`and project_id = ${of.projectId} and parcel_id = ${of.parcelId}`} order by until limit 500`
