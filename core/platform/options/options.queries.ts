import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import type { Option } from './options.model.ts'

const columns = (sql: Queryable) => sql`key, value, is_public, created_at, updated_at`

export const listOptions = (sql: Queryable, after: string | null, take: number) =>
  sql<Option[]>`select ${columns(sql)} from options where (${after}::text is null or key > ${after}) order by key limit ${take}`

export const findOption = async (sql: Queryable, key: string) =>
  (await sql<Option[]>`select ${columns(sql)} from options where key = ${key}`)[0]

const OPTIONS_LOCK = 7_233_042

/** How many others there are; whoever adds one waits for the caller's transaction. */
export async function countOthers(sql: Tx, key: string) {
  await sql`select pg_advisory_xact_lock(${OPTIONS_LOCK})`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from options where key <> ${key}`).count
}

/** What is not said of it stays. */
export const putOption = async (sql: Queryable, key: string, value: object, isPublic: boolean | undefined) =>
  expectOne(
    await sql<Option[]>`insert into options (key, value, is_public) values (${key}, ${json(sql, value)}, ${isPublic ?? false})
      on conflict (key) do update set value = excluded.value, updated_at = now(),
        is_public = ${isPublic === undefined ? sql`options.is_public` : isPublic}
      returning ${columns(sql)}`,
  )

/** Of all public ones, as the database writes them. */
export const bytesOfPublic = async (sql: Queryable) =>
  expectOne(await sql<{ bytes: number }[]>`select coalesce(sum(octet_length(value::text)), 0)::int as bytes from options where is_public`)
    .bytes

export const deleteOption = async (sql: Queryable, key: string) => (await sql`delete from options where key = ${key}`).count > 0
