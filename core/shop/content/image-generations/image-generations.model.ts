import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** What a picture is asked for with. */
export const imagePrompt = {
  prompt: Text(8000, 1),
  negativePrompt: T.Optional(Text(8000)),
  aspectRatio: T.Optional(
    T.String({ pattern: '^[1-9][0-9]?:[1-9][0-9]?$', maxLength: 5, description: 'width to height; 1:1 unless said' }),
  ),
}
export const promptDefaults = { negativePrompt: '', aspectRatio: '1:1' }

export const ImageGenerationFields = T.Object({
  name: T.Optional(Text(200)),
  ...imagePrompt,
  productId: T.Optional(Nullable(Id, { description: 'the product of the store that it is for' })),
  published: T.Optional(T.Boolean({ description: 'whether all find it in the gallery once it is done; off unless said' })),
})

const Images = T.Array(T.String(), { maxItems: 16, description: 'addresses of the pictures, once they are done' })
export const Outcome = {
  status: oneOf(['draft', 'queued', 'running', 'done', 'failed']),
  images: Images,
  failure: Nullable(T.String(), { description: 'why it failed' }),
}

/** As others see what a store shows them: not whose it is. */
export const GalleryImage = named(
  'GalleryImage',
  T.Object({ id: Id, name: T.String(), prompt: T.String(), aspectRatio: T.String(), images: Images, createdAt: Timestamp }),
)
export type GalleryImage = Static<typeof GalleryImage>
