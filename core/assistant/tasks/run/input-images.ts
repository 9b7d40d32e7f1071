import { invalidField } from '../../../lib/errors/domain-error.ts'
import { detectKind } from '../../../platform/files/kinds.ts'
import type { AvailableModel } from '../../models/models.model.ts'
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
    if (images.length > 0 && role !== 'user') throw invalidField(path, 'Only messages of the user may have pictures.')
    if (images.length > 0 && !model.takes.includes('image')) throw invalidField(path, `${id} does not take pictures.`)
    count += images.length
    if (count > PICTURES_MAX) throw invalidField(path, `At most ${PICTURES_MAX} pictures in all.`)
    for (const [place, { mediaType, data }] of images.entries()) {
      const bytes = Buffer.from(data, 'base64')
      if (bytes.toString('base64') !== data) throw invalidField([...path, place, 'data'], 'This is not valid base64.')
      const kind = await detectKind(bytes, '')
      if (kind === null || types[kind] !== mediaType)
        throw invalidField([...path, place], `The bytes of this picture are not ${mediaType}.`)
    }
  }
}
