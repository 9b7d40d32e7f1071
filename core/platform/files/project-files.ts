import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { fileErrors } from './files.errors.ts'
import { type FileRow, insertProjectFile, listFilesById, sumProjectBytes } from './files.queries.ts'
import { type NewFile, newFileId } from './files.ts'
import { keyOf } from './object-store.ts'
import { computeSha256, validateFile } from './validate-file.ts'

type Needs = Pick<Context, 'sql' | 'config' | 'files'>

/** Generated file of a project. */
export interface GeneratedFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

const MB = 1024 * 1024

/**
 * Stores the bytes of a project's file. It becomes a file through `addProjectFile`; otherwise the sweep deletes the bytes. Pictures are
 * re-encoded.
 */
export async function storeProjectFile({ files }: Needs, projectId: string, made: GeneratedFile): Promise<NewFile> {
  const isPicture = made.contentType.startsWith('image/')
  const found = isPicture
    ? await validateFile(made.bytes, made.name, projectId)
    : { bytes: made.bytes, contentType: made.contentType, width: null, height: null, hash: await computeSha256(made.bytes) }
  const id = newFileId()
  const key = keyOf(projectId, id)
  await files.storage.put(key, found.bytes, found.contentType)
  const { contentType, width, height, hash } = found
  return { id, key, name: made.name, contentType, bytes: found.bytes.length, width, height, hash }
}

/** Adds a stored file to a project. */
export const addProjectFile = (tx: Tx, projectId: string, file: NewFile): Promise<FileRow> => insertProjectFile(tx, projectId, file)

/** Throws `limit_reached` if a project has no room for more files. */
export async function assertProjectRoom({ sql, config }: Needs, projectId: string): Promise<void> {
  if ((await sumProjectBytes(sql, projectId)) >= config.filesMbPerOwner * MB)
    throw fileErrors.generatedFilesFull({ filesMbPerOwner: config.filesMbPerOwner })
}

/** Lists files of a project by their ids. */
export const findFilesById = ({ sql }: Pick<Context, 'sql'>, projectId: string, ids: readonly string[]): Promise<FileRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : listFilesById(sql, projectId, ids)
