import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import { fileErrors } from './files.errors.ts'
import type { FileOwner, StoredFile } from './files.model.ts'
import {
  deleteFile,
  deleteFilesOf,
  type FileRef,
  type FileRow,
  findFile,
  findFileOf,
  insertFile,
  listFiles,
  lockOwner,
  type NewFile,
  sumOwnerBytes,
} from './files.queries.ts'

export type { NewFile }

declare module '../../data/jobs.ts' {
  interface Jobs {
    'files.remove': { readonly key: string }
    'files.removeAll': { readonly prefix: string }
    'files.sweep': Record<string, unknown>
  }
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHANCE = 26

/** Creates a file id. Ids sort by creation and cannot be guessed, because the id alone gives access to the file. */
export const newFileId = (now = Date.now()): string =>
  lowestIdAt('fil', now) + Array.from(crypto.getRandomValues(new Uint8Array(CHANCE)), (byte) => ALPHABET[byte & 31]).join('')

const MB = 1024 * 1024

type Settings = Pick<Context, 'config'>

/** Throws `limit_reached` if the owner has no room for another file of this size. */
export async function assertRoom(context: Settings & Pick<Context, 'sql'>, owner: FileOwner, bytes: number): Promise<void> {
  assertWithin(context, (await sumOwnerBytes(context.sql, owner)) + bytes)
}

function assertWithin({ config }: Settings, bytes: number) {
  if (bytes > config.filesMbPerOwner * MB) throw fileErrors.filesFull({ filesMbPerOwner: config.filesMbPerOwner })
}

/** Adds a file whose bytes are already stored. Throws `limit_reached`, and `not_found` if the owner was deleted meanwhile. */
export async function addFile(context: Settings, tx: Tx, owner: FileOwner, file: NewFile): Promise<FileRow> {
  if (!(await lockOwner(tx, owner))) throw notFound('The store')
  assertWithin(context, (await sumOwnerBytes(tx, owner)) + file.bytes)
  return insertFile(tx, owner, file)
}

/** Finds a file by its id alone. */
export const getFile = ({ sql }: Pick<Context, 'sql'>, id: string) => findFile(sql, id)
/** Finds a file of an owner. */
export const getFileOf = ({ sql }: Pick<Context, 'sql'>, owner: FileOwner, id: string) => findFileOf(sql, owner, id)
/** Lists the files of an owner, newest first. */
export const getFilesOf = ({ sql }: Pick<Context, 'sql'>, owner: FileOwner, before: string | null, take: number) =>
  listFiles(sql, owner, before, take)

/** Deletes a file. A job deletes its bytes after the commit. Throws `not_found`. */
export async function deleteFileWithBytes(tx: Tx, file: FileRef): Promise<void> {
  const gone = await deleteFile(tx, file)
  if (!gone) throw notFound('The file')
  await enqueue(tx, 'files.remove', { key: gone.key })
}

/** Deletes all files of a store or a user that is being deleted. */
export async function deleteAllFilesOf(tx: Tx, owner: FileOwner): Promise<void> {
  if ((await deleteFilesOf(tx, owner)) > 0) await enqueue(tx, 'files.removeAll', { prefix: `${owner.storeId ?? owner.userId}/` })
}

/** Builds the API view of a file. */
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
