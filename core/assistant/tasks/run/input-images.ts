import { detectKind } from '../../../platform/files/kinds.ts'
import type { AvailableModel } from '../../models/models.model.ts'
import { taskErrors } from '../tasks.errors.ts'
import type { inputImageTypes, TaskInput } from '../tasks.model.ts'

/** Media types of images that models accept, by the kind that their bytes show. */
const types: Readonly<Partial<Record<string, (typeof inputImageTypes)[number]>>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}
/** Images in all messages of a task. */
const PICTURES_MAX = 16

/**
 * Checks the images of a text task: role, number, base64, and a media type that fits the bytes. The model must take images. Throws
 * `invalid_request`.
 */
export async function assertInputImages({ model, id }: AvailableModel, input: TaskInput): Promise<void> {
  if (input.type !== 'text') return
  let count = 0
  for (const [at, { role, images = [] }] of input.messages.entries()) {
    const path = ['input', 'messages', at, 'images']
    if (images.length > 0 && role !== 'user') throw taskErrors.picturesOfOthers({ field: path })
    if (images.length > 0 && !model.takes.includes('image')) throw taskErrors.picturesUnsupported({ id }, { field: path })
    count += images.length
    if (count > PICTURES_MAX) throw taskErrors.tooManyPictures({ picturesMax: PICTURES_MAX }, { field: path })
    for (const [place, { mediaType, data }] of images.entries()) {
      const bytes = Buffer.from(data, 'base64')
      if (bytes.toString('base64') !== data) throw taskErrors.base64Invalid({ field: [...path, place, 'data'] })
      const kind = await detectKind(bytes, '')
      if (kind === null || types[kind] !== mediaType) throw taskErrors.pictureTypeWrong({ mediaType }, { field: [...path, place] })
    }
  }
}
