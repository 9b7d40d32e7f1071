import { json, type Queryable } from '../../../data/sql.ts'
import type { MatchResult, PlaceMatch } from '../../../platform/geo/resolve/match-places.model.ts'
import type { ConnectionRef } from '../connections.model.ts'

/** Places of a carrier, matched with the catalogue. */
export interface CarrierPlaces {
  readonly matched: readonly PlaceMatch[]
  readonly leftovers: Omit<MatchResult, 'matched'>
  readonly syncedAt: string
}

/** Finds the matched places of a connection. */
export const findPlaces = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (
    await sql<
      CarrierPlaces[]
    >`select matched, leftovers, synced_at from carrier_places where project_id = ${projectId} and connection_id = ${id}`
  )[0]

/** Stores the matched places of a connection, and replaces earlier ones. */
export const upsertPlaces = (sql: Queryable, { projectId, id }: ConnectionRef, { matched, ...leftovers }: MatchResult) =>
  sql`insert into carrier_places (project_id, connection_id, matched, leftovers) values (${projectId}, ${id}, ${json(sql, matched)}, ${json(sql, leftovers)})
    on conflict (project_id, connection_id) do update set matched = excluded.matched, leftovers = excluded.leftovers, synced_at = now()`

/** Lists enabled connections whose places were read more than `days` ago. */
export const listStalePlaces = async (sql: Queryable, days: number, limit: number) =>
  (
    await sql<
      { id: string }[]
    >`select i.id from integrations i join carrier_places p on p.project_id = i.project_id and p.connection_id = i.id
      where i.enabled and i.deleted_at is null and p.synced_at < now() - ${days} * interval '1 day' limit ${limit}`
  ).map(({ id }) => id)
