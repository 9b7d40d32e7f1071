import type { Erasure } from '../../data/personal-data/personal-data.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { FileOwner } from './files.model.ts'

/** Row of the table of files. */
export interface FileRow {
  readonly id: string
  readonly storeId: string | null
  readonly userId: string | null
  readonly key: string
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly hash: string
  readonly createdAt: string
}

const columns = ['id', 'storeId', 'userId', 'key', 'name', 'contentType', 'bytes', 'width', 'height', 'hash', 'createdAt'] as const

/** Minimum bytes that a file counts for. */
const BLOCK = 4096

/** Inserts a file. */
export const insertFile = async (sql: Queryable, file: Omit<FileRow, 'createdAt'>) =>
  expectOne(await sql<FileRow[]>`insert into files ${rowValues(sql, file)} returning ${sql(columns)}`)

/** Inserts a file of a project, which belongs to no store or user. */
export const insertProjectFile = async (sql: Queryable, projectId: string, file: Omit<FileRow, 'createdAt' | 'storeId' | 'userId'>) =>
  expectOne(await sql<FileRow[]>`insert into files ${rowValues(sql, { ...file, projectId })} returning ${sql(columns)}`)

/** Returns the total bytes of a project's files. */
export const sumProjectBytes = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<
      { bytes: number }[]
    >`select coalesce(sum(greatest(bytes, ${BLOCK})), 0)::bigint as bytes from files where project_id = ${projectId}`,
  ).bytes

/** Lists files by their ids. */
export const listFilesById = (sql: Queryable, ids: readonly string[]) =>
  sql<FileRow[]>`select ${sql(columns)} from files where id = any(${ids as string[]}) order by id`

/** Finds a file. */
export const findFile = async (sql: Queryable, id: string) => (await sql<FileRow[]>`select ${sql(columns)} from files where id = ${id}`)[0]

const of = (sql: Queryable, { storeId, userId }: FileOwner) => (storeId === null ? sql`user_id = ${userId}` : sql`store_id = ${storeId}`)

/** Lists the files of an owner, newest first. */
export const listFiles = (sql: Queryable, owner: FileOwner, before: string | null, take: number) =>
  sql<FileRow[]>`select ${sql(columns)} from files
    where ${of(sql, owner)} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Returns the total bytes of an owner's files. */
export const sumOwnerBytes = async (sql: Queryable, owner: FileOwner) =>
  expectOne(
    await sql<{ bytes: number }[]>`select coalesce(sum(greatest(bytes, ${BLOCK})), 0)::bigint as bytes from files where ${of(sql, owner)}`,
  ).bytes

/**
 * Locks the owner until the transaction ends, so that it is not deleted and its files are added one at a time. Returns false if it does not
 * exist.
 */
export async function lockOwner(sql: Tx, owner: FileOwner): Promise<boolean> {
  const found =
    owner.storeId === null
      ? await sql`select 1 from users where id = ${owner.userId} for key share`
      : await sql`select 1 from stores where id = ${owner.storeId} and deleted_at is null for share`
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${owner.storeId ?? owner.userId}`}, 0))`
  return found.length > 0
}

/** Deletes a file. Returns its storage key; undefined if it did not exist. */
export const deleteFile = async (sql: Queryable, id: string) =>
  (await sql<Pick<FileRow, 'key'>[]>`delete from files where id = ${id} returning key`)[0]

/** Deletes all files of an owner. Returns their number. */
export const deleteFilesOf = async (sql: Queryable, owner: FileOwner) => (await sql`delete from files where ${of(sql, owner)}`).count

/** Lists those of the keys that no file has. */
export const listUnusedKeys = async (sql: Queryable, keys: readonly string[]) =>
  (
    await sql<{ key: string }[]>`select k.key from unnest(${keys as string[]}::text[]) as k (key)
      where not exists (select 1 from files f where f.key = k.key)`
  ).map(({ key }) => key)

/** Selects the files of the store in an erasure, and of its project. */
export const filesOfStoreCondition = (sql: Queryable, { storeId, projectId }: Erasure): ReturnType<Queryable> =>
  sql`(store_id = ${storeId} or project_id = ${projectId})`
