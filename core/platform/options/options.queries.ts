import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import type { Option } from './options.model.ts'

const columns = (sql: Queryable) => sql`key, value, is_public, created_at, updated_at`

/** Lists options by key, after a key. */
export const listOptions = (sql: Queryable, after: string | null, take: number) =>
  sql<Option[]>`select ${columns(sql)} from options where (${after}::text is null or key > ${after}) order by key limit ${take}`

/** Finds an option. */
export const findOption = async (sql: Queryable, key: string) =>
  (await sql<Option[]>`select ${columns(sql)} from options where key = ${key}`)[0]

const OPTIONS_LOCK = 7_233_042

/** Counts the other options. Locks the table's size until the transaction ends. */
export async function countOtherOptions(sql: Tx, key: string) {
  await sql`select pg_advisory_xact_lock(${OPTIONS_LOCK})`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from options where key <> ${key}`).count
}

/** Inserts or updates an option. An undefined `isPublic` keeps the current value, or is false for a new option. */
export const upsertOption = async (sql: Queryable, key: string, value: object, { isPublic }: { readonly isPublic: boolean | undefined }) =>
  expectOne(
    await sql<Option[]>`insert into options (key, value, is_public) values (${key}, ${json(sql, value)}, ${isPublic ?? false})
      on conflict (key) do update set value = excluded.value, updated_at = now(),
        is_public = ${isPublic === undefined ? sql`options.is_public` : isPublic}
      returning ${columns(sql)}`,
  )

/** Returns the bytes of all public options, as the database stores them. */
export const sumPublicBytes = async (sql: Queryable) =>
  expectOne(await sql<{ bytes: number }[]>`select coalesce(sum(octet_length(value::text)), 0)::int as bytes from options where is_public`)
    .bytes

/** Deletes an option. Returns false if it did not exist. */
export const deleteOption = async (sql: Queryable, key: string) => (await sql`delete from options where key = ${key}`).count > 0
