import type { Context } from '../../context.ts'
import { limitConcurrency } from '../../http/concurrency.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { type Creation, createOnce } from '../../http/idempotency.ts'
import { digest, examine } from '../../platform/files/examine.ts'
import type { FileOwner, StoredFile } from '../../platform/files/files.model.ts'
import { addFile, assertRoom, newFileId, presentFile } from '../../platform/files/files.ts'
import { keyOf } from '../../platform/files/keeping.ts'
import { readUpload } from './form.ts'

type Asking = Omit<Creation, 'body'>

/** Each has its bytes in memory several times over. Throws `unavailable`. */
export const asUpload = limitConcurrency({ own: 6, all: 24 }, 'Too many files are being uploaded.')

/**
 * Takes an upload: its bytes are examined, kept, and only then is it a file. Throws `unsupported_media_type`, `payload_too_large`,
 * `invalid_request`, `file_unreadable`, `limit_reached`, `unavailable`.
 */
export async function keepUpload(context: Context, asking: Asking, owner: FileOwner): Promise<{ data: StoredFile }> {
  const ownerId = owner.storeId ?? owner.userId
  return asUpload(ownerId, async () => {
    await assertRoom(context, owner, 0)
    const { bytes, name } = await readUpload(asking.request)
    const [sent, found] = [await digest(bytes), await examine(bytes, name, ownerId)]
    const id = newFileId()
    const key = keyOf(ownerId, id)
    await context.files.keeping.put(key, found.bytes, found.contentType)
    let isAdded = false
    const forget = () => context.files.forget(key).catch(() => {})
    const answer = await createOnce(context, { ...asking, body: { sent, name, ownerId } }, async (tx) => {
      const { contentType, width, height, hash } = found
      const row = await addFile(context, tx, owner, { id, key, name, contentType, bytes: found.bytes.length, width, height, hash })
      isAdded = true
      return { data: presentFile(context, row) }
    }).catch(async (error) => {
      // Whatever else fails may have been written all the same; the sweep finds out.
      if (error instanceof ApiError) await forget()
      throw error
    })
    // It was an answer given before.
    if (!isAdded) await forget()
    return answer
  })
}
