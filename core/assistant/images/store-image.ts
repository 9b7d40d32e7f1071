import type { Media } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import { type NewFile, newFileId } from '../../platform/files/files.ts'
import { keyOf } from '../../platform/files/object-store.ts'
import { validateFile } from '../../platform/files/validate-file.ts'

/**
 * Writes the bytes of a generated image to storage, before its file row exists. A later sweep deletes bytes without a row. The name gets
 * the extension of the media type.
 */
export async function storeGeneratedImage(
  context: Context,
  storeId: string,
  { mediaType, data }: Media,
  baseName: string,
): Promise<NewFile> {
  const name = `${baseName}.${mediaType.split('/')[1] ?? 'png'}`
  const { bytes, ...found } = await validateFile(Buffer.from(data, 'base64'), name, storeId)
  const id = newFileId()
  const key = keyOf(storeId, id)
  await context.files.storage.put(key, bytes, found.contentType)
  return { id, key, name, bytes: bytes.length, ...found }
}
