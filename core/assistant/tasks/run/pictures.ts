import { invalid } from '../../../http/errors/errors.ts'
import { kindOf } from '../../../platform/files/kinds.ts'
import type { Usable } from '../../models/models.model.ts'
import type { Input, pictureTypes } from '../tasks.model.ts'

/** Those that models look at. */
const types: Readonly<Partial<Record<string, (typeof pictureTypes)[number]>>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}
const PICTURES_MAX = 16

/** Pictures are what their bytes are, whatever is said of them, and go to models that look at them. Throws `invalid_request`. */
export async function assertPictures({ model, id }: Usable, input: Input): Promise<void> {
  if (input.type !== 'text') return
  let count = 0
  for (const [at, { role, images = [] }] of input.messages.entries()) {
    const path = `/body/input/messages/${at}/images`
    if (images.length > 0 && role !== 'user') throw invalid(path, 'Pictures stand in messages of the user.')
    if (images.length > 0 && !model.takes.includes('image')) throw invalid(path, `${id} does not look at pictures.`)
    count += images.length
    if (count > PICTURES_MAX) throw invalid(path, `At most ${PICTURES_MAX} pictures in all.`)
    for (const [place, { mediaType, data }] of images.entries()) {
      const bytes = Buffer.from(data, 'base64')
      if (bytes.toString('base64') !== data) throw invalid(`${path}/${place}/data`, 'This is no base64.')
      const kind = await kindOf(bytes, '')
      if (kind === null || types[kind] !== mediaType) throw invalid(`${path}/${place}`, `By its bytes this is no ${mediaType}.`)
    }
  }
}
