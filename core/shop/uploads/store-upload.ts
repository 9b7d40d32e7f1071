import type { Context } from '../../context.ts'
import { limitConcurrency } from '../../http/concurrency.ts'
import { type CreationRequest, createOnce } from '../../http/idempotency.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import type { FileOwner, StoredFile } from '../../platform/files/files.model.ts'
import { addFile, assertRoom, newFileId, presentFile } from '../../platform/files/files.ts'
import { keyOf } from '../../platform/files/object-store.ts'
import { computeSha256, validateFile } from '../../platform/files/validate-file.ts'
import { readUploadForm } from './read-upload-form.ts'

type UploadRequest = Omit<CreationRequest, 'body'>

/** Limits concurrent uploads, because each holds several copies of its bytes in memory. Throws `unavailable`. */
export const limitUploads = limitConcurrency({ own: 6, all: 24 }, 'Too many files are being uploaded.')

/**
 * Stores an uploaded file: examines its bytes, writes them to storage, and then inserts the file. Throws `unsupported_media_type`,
 * `payload_too_large`, `invalid_request`, `file_unreadable`, `limit_reached`, `unavailable`.
 */
export async function storeUpload(context: Context, upload: UploadRequest, owner: FileOwner): Promise<{ data: StoredFile }> {
  const ownerId = owner.storeId ?? owner.userId
  return limitUploads(ownerId, async () => {
    await assertRoom(context, owner, 0)
    const { bytes, name } = await readUploadForm(upload.request)
    const [sent, found] = [await computeSha256(bytes), await validateFile(bytes, name, ownerId)]
    const id = newFileId()
    const key = keyOf(ownerId, id)
    await context.files.storage.put(key, found.bytes, found.contentType)
    let isAdded = false
    const deleteBytes = () => context.files.deleteBytes(key).catch(() => {})
    const answer = await createOnce(context, { ...upload, body: { sent, name, ownerId } }, async (tx) => {
      const { contentType, width, height, hash } = found
      const row = await addFile(context, tx, owner, { id, key, name, contentType, bytes: found.bytes.length, width, height, hash })
      isAdded = true
      return { data: presentFile(context, row) }
    }).catch(async (error) => {
      // Other failures may come after the commit. The sweep of unused bytes decides about them.
      if (error instanceof DomainError) await deleteBytes()
      throw error
    })
    // An idempotent repetition got the earlier answer, so these bytes are not needed.
    if (!isAdded) await deleteBytes()
    return answer
  })
}
