import { json, type Queryable } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'

/** Row of `pickups`. */
export interface PickupRow {
  readonly connectionId: string
  readonly centerId: string
  readonly name: string
  readonly address: string
  readonly phone: string | null
  readonly countryCode: string
  readonly stateCode: string | null
  readonly stateName: string | null
  readonly cityCode: string | null
  readonly cityName: string
  readonly latitude: number | null
  readonly longitude: number | null
}
/** Pick-up point to insert for a connection. */
export type NewPickup = Omit<PickupRow, 'connectionId'>

/** Row of `pickup_sources`. */
export interface PickupSourceRow {
  readonly connectionId: string
  readonly refreshedAt: string | null
  readonly askedAt: string | null
  readonly failure: string | null
  readonly isAsking: boolean
}

/** Keys of connections of several owners. */
interface ConnectionKeys {
  readonly projectIds: readonly string[]
  readonly ids: readonly string[]
}

/** Lists the pick-up points of connections. */
export const listPickups = (sql: Queryable, { projectIds, ids }: ConnectionKeys, most: number) => sql<PickupRow[]>`
  select connection_id, center_id, name, address, phone, country_code, state_code, state_name, city_code, city_name, latitude, longitude
  from pickups where project_id = any(${[...projectIds]}) and connection_id = any(${[...ids]}) order by connection_id, center_id limit ${most}`

/** Lists the refresh states of connections. */
export const listPickupSources = (sql: Queryable, { projectIds, ids }: ConnectionKeys) => sql<PickupSourceRow[]>`
  select connection_id, refreshed_at, asked_at, failure, coalesce(asking_until > now(), false) as is_asking
  from pickup_sources where project_id = any(${[...projectIds]}) and connection_id = any(${[...ids]})`

/** Claims the refresh of a connection for `seconds`. Returns false when another claim is still valid. */
export const claimSourceRefresh = async (sql: Queryable, { projectId, id }: ConnectionRef, by: string, seconds: number) =>
  (
    await sql`insert into pickup_sources (project_id, connection_id, asked_at, asking_by, asking_until)
      values (${projectId}, ${id}, now(), ${by}, now() + ${seconds} * interval '1 second')
      on conflict (project_id, connection_id) do update set asked_at = now(), asking_by = excluded.asking_by, asking_until = excluded.asking_until
      where pickup_sources.asking_until is null or pickup_sources.asking_until < now()
      returning 1`
  ).length > 0

/** Stores the result of a refresh. Returns false when another claim has replaced it, or the connection is gone. */
export const finishSourceRefresh = async (sql: Queryable, { projectId, id }: ConnectionRef, by: string, failure: string | null) =>
  (
    await sql`update pickup_sources set asking_by = null, asking_until = null, failure = ${failure},
        refreshed_at = case when ${failure}::text is null then now() else refreshed_at end
      where project_id = ${projectId} and connection_id = ${id} and asking_by = ${by} returning 1`
  ).length > 0

/** Replaces the pick-up points of a connection. */
export async function replacePickups(sql: Queryable, { projectId, id }: ConnectionRef, pickups: readonly NewPickup[]) {
  await sql`delete from pickups where project_id = ${projectId} and connection_id = ${id}`
  await sql`
    insert into pickups (project_id, connection_id, center_id, name, address, phone, country_code, state_code, state_name, city_code, city_name, latitude, longitude)
    select ${projectId}, ${id}, "centerId", name, address, phone, "countryCode", "stateCode", "stateName", "cityCode", "cityName", latitude, longitude
    from jsonb_to_recordset(${json(sql, pickups)}::jsonb) as pickup (
      "centerId" text, name text, address text, phone text, "countryCode" text, "stateCode" text, "stateName" text, "cityCode" text,
      "cityName" text, latitude double precision, longitude double precision)`
}

/** Deletes the pick-up points of a connection. Deletes the source first, so that a refresh that is writing finishes before. */
export async function deletePickups(sql: Queryable, { projectId, id }: ConnectionRef) {
  await sql`delete from pickup_sources where project_id = ${projectId} and connection_id = ${id}`
  await sql`delete from pickups where project_id = ${projectId} and connection_id = ${id}`
}

/** Lists enabled connections to these adapters with old pick-up points and no attempt in the last hour. */
export const listStaleSources = async (sql: Queryable, keys: readonly string[], hours: number, take: number) =>
  (
    await sql<{ id: string }[]>`
      select i.id from integrations i left join pickup_sources p on p.project_id = i.project_id and p.connection_id = i.id
      where i.enabled and i.deleted_at is null and i.key = any(${[...keys]})
        and coalesce(p.refreshed_at < now() - ${hours} * interval '1 hour', true)
        and coalesce(p.asked_at < now() - interval '1 hour', true)
      order by p.refreshed_at nulls first, i.id limit ${take}`
  ).map(({ id }) => id)
