import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { momentOfIds } from '../../lib/ids.ts'
import type { FileOwner, StoredFile } from './files.model.ts'
import { bytesOf, deleteFile, deleteFilesOf, type FileRow, findFile, holdOwner, insertFile, listFiles } from './files.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'files.remove': { readonly key: string }
    'files.removeAll': { readonly prefix: string }
    'files.sweep': Record<string, unknown>
  }
}

export type NewFile = Omit<FileRow, 'createdAt' | 'storeId' | 'userId'>

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHANCE = 26

/** Sorts by creation, and nobody finds it by the one before it: whoever knows it reads the file. */
export const newFileId = (now = Date.now()): string =>
  momentOfIds('fil', now) + Array.from(crypto.getRandomValues(new Uint8Array(CHANCE)), (byte) => ALPHABET[byte & 31]).join('')

const MB = 1024 * 1024

type Settings = Pick<Context, 'config'>

/** Throws `limit_reached` where another file of this size has no room. */
export async function assertRoom(context: Settings & Pick<Context, 'sql'>, owner: FileOwner, bytes: number): Promise<void> {
  assertWithin(context, (await bytesOf(context.sql, owner)) + bytes)
}

function assertWithin({ config }: Settings, bytes: number) {
  if (bytes > config.filesMbPerOwner * MB)
    throw new ApiError('limit_reached', `All files together may have at most ${config.filesMbPerOwner} MB. Delete some first.`)
}

/** Its bytes are there already. Throws `limit_reached`, and `not_found` where its owner went meanwhile. */
export async function addFile(context: Settings, tx: Tx, owner: FileOwner, file: NewFile): Promise<FileRow> {
  if (!(await holdOwner(tx, owner))) throw notFound('The store')
  assertWithin(context, (await bytesOf(tx, owner)) + file.bytes)
  return insertFile(tx, { ...file, ...owner })
}

export const fileOf = ({ sql }: Pick<Context, 'sql'>, id: string) => findFile(sql, id)
export const filesOf = ({ sql }: Pick<Context, 'sql'>, owner: FileOwner, before: string | null, take: number) =>
  listFiles(sql, owner, before, take)

/** Its bytes go when this is committed. */
export async function removeFile(tx: Tx, id: string): Promise<void> {
  const gone = await deleteFile(tx, id)
  if (!gone) throw notFound('The file')
  await enqueue(tx, 'files.remove', { key: gone.key })
}

/** All of a store, or of a person, that leaves. */
export async function removeFilesOf(tx: Tx, owner: FileOwner): Promise<void> {
  if ((await deleteFilesOf(tx, owner)) > 0) await enqueue(tx, 'files.removeAll', { prefix: `${owner.storeId ?? owner.userId}/` })
}

/** What leaves of a row. */
export const presentFile = ({ config }: Settings, row: FileRow): StoredFile => ({
  id: row.id,
  storeId: row.storeId,
  name: row.name,
  contentType: row.contentType,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  url: `${config.publicUrl ?? ''}/v1/files/${row.id}/content`,
  createdAt: row.createdAt,
})
