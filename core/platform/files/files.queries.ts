import { ownerProjectIdOf, projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { FileOwner } from './files.model.ts'

/** Row of the table of files. */
export interface FileRow {
  /** Empty for a file of a user. */
  readonly projectId: string
  readonly id: string
  /** Store that owns the file; null for a file of a user or of a whole project. */
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

/** Names a file by its project and its id. */
export type FileRef = Pick<FileRow, 'projectId' | 'id'>

/** Contents of a file to insert, without its owner. */
export type NewFile = Omit<FileRow, 'projectId' | 'storeId' | 'userId' | 'createdAt'>

const columns = (
  sql: Queryable,
) => sql`project_id, id, case owner when 'store' then 'sto_' || substr(project_id, 5) end as store_id, user_id,
  key, name, content_type, bytes, width, height, hash, created_at`

/** Minimum bytes that a file counts for. */
const BLOCK = 4096

interface OwnerColumns {
  readonly projectId: string
  readonly owner: 'store' | 'project' | 'user'
  readonly userId: string | null
}

const insertOwned = async (sql: Queryable, owner: OwnerColumns, file: NewFile) =>
  expectOne(await sql<FileRow[]>`insert into files ${rowValues(sql, { ...owner, ...file })} returning ${columns(sql)}`)

/** Inserts a file of a store or a user. */
export const insertFile = (sql: Queryable, { storeId, userId }: FileOwner, file: NewFile) =>
  insertOwned(sql, { projectId: ownerProjectIdOf(storeId), owner: storeId === null ? 'user' : 'store', userId }, file)

/** Inserts a file of a project, which belongs to no store or user. */
export const insertProjectFile = (sql: Queryable, projectId: string, file: NewFile) =>
  insertOwned(sql, { projectId, owner: 'project', userId: null }, file)

type Fragment = ReturnType<Queryable>

const sumBytes = async (sql: Queryable, condition: Fragment) =>
  expectOne(
    await sql<{ bytes: number }[]>`select coalesce(sum(greatest(bytes, ${BLOCK})), 0)::bigint as bytes from files where ${condition}`,
  ).bytes

const ofProject = (sql: Queryable, projectId: string): Fragment => sql`project_id = ${projectId} and owner = 'project'`

/** Returns the total bytes of a project's own files. */
export const sumProjectBytes = (sql: Queryable, projectId: string) => sumBytes(sql, ofProject(sql, projectId))

/** Lists files of a project by their ids. */
export const listFilesById = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<FileRow[]>`select ${columns(sql)} from files where project_id = ${projectId} and id = any(${ids as string[]}) order by id`

/** Finds a file by its id alone, which its address has. */
export const findFile = async (sql: Queryable, id: string) => (await sql<FileRow[]>`select ${columns(sql)} from files where id = ${id}`)[0]

const of = (sql: Queryable, { storeId, userId }: FileOwner): Fragment =>
  storeId === null ? sql`user_id = ${userId}` : sql`project_id = ${projectIdOf(storeId)} and owner = 'store'`

/** Finds a file of an owner. */
export const findFileOf = async (sql: Queryable, owner: FileOwner, id: string) =>
  (await sql<FileRow[]>`select ${columns(sql)} from files where ${of(sql, owner)} and id = ${id}`)[0]

/** Lists the files of an owner, newest first. */
export const listFiles = (sql: Queryable, owner: FileOwner, before: string | null, take: number) =>
  sql<FileRow[]>`select ${columns(sql)} from files
    where ${of(sql, owner)} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Returns the total bytes of an owner's files. */
export const sumOwnerBytes = (sql: Queryable, owner: FileOwner) => sumBytes(sql, of(sql, owner))

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
export const deleteFile = async (sql: Queryable, { projectId, id }: FileRef) =>
  (await sql<Pick<FileRow, 'key'>[]>`delete from files where project_id = ${projectId} and id = ${id} returning key`)[0]

/** Deletes all files of an owner. Returns their number. */
export const deleteFilesOf = async (sql: Queryable, owner: FileOwner) => (await sql`delete from files where ${of(sql, owner)}`).count

/** Lists those of the keys that no file has. A key ends with the id of its file. */
export const listUnusedKeys = async (sql: Queryable, keys: readonly string[]) =>
  (
    await sql<{ key: string }[]>`select k.key from unnest(${keys as string[]}::text[]) as k (key)
      where not exists (select 1 from files f where f.id = split_part(k.key, '/', 2) and f.key = k.key)`
  ).map(({ key }) => key)
