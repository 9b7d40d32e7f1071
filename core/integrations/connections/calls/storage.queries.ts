import { json, type Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../connections.model.ts'

/** Finds the value that an adapter stored under a key of a connection. */
export const findStoredValue = async (sql: Queryable, { projectId, id }: ConnectionRef, key: string) =>
  (
    await sql<
      { value: unknown }[]
    >`select value from adapter_storage where project_id = ${projectId} and connection_id = ${id} and key = ${key}`
  )[0]?.value

/** Stores a value under a key, and replaces an earlier one. */
export const upsertStoredValue = (sql: Queryable, { projectId, id }: ConnectionRef, key: string, value: unknown) =>
  sql`insert into adapter_storage (project_id, connection_id, key, value) values (${projectId}, ${id}, ${key}, ${json(sql, value)})
    on conflict (project_id, connection_id, key) do update set value = excluded.value`

/** Stores a value under a new key. Returns false if the key exists. */
export const insertStoredValue = async (sql: Queryable, { projectId, id }: ConnectionRef, key: string, value: unknown) =>
  (
    await sql`insert into adapter_storage (project_id, connection_id, key, value) values (${projectId}, ${id}, ${key}, ${json(sql, value)}) on conflict do nothing`
  ).count > 0

/** Replaces a value if it equals the expected one. Returns false otherwise. */
export const updateStoredValue = async (sql: Queryable, { projectId, id }: ConnectionRef, key: string, expected: unknown, value: unknown) =>
  (
    await sql`update adapter_storage set value = ${json(sql, value)}
      where project_id = ${projectId} and connection_id = ${id} and key = ${key} and value = ${json(sql, expected)}::jsonb`
  ).count > 0

/** Deletes a key. */
export const deleteStoredValue = (sql: Queryable, { projectId, id }: ConnectionRef, key: string) =>
  sql`delete from adapter_storage where project_id = ${projectId} and connection_id = ${id} and key = ${key}`

/** Lists keys with a prefix and their values, by key, after the given key. */
export const listStoredValues = (sql: Queryable, { projectId, id }: ConnectionRef, prefix: string, after: string, limit: number) =>
  sql<
    { key: string; value: unknown }[]
  >`select key, value from adapter_storage where project_id = ${projectId} and connection_id = ${id} and starts_with(key, ${prefix}) and key > ${after} order by key limit ${limit}`
