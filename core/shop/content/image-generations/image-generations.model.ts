import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** Schemas of the fields that describe an image to generate. */
export const imagePromptFields = {
  prompt: Text(8000, 1),
  negativePrompt: T.Optional(Text(8000)),
  aspectRatio: T.Optional(T.String({ pattern: '^[1-9][0-9]?:[1-9][0-9]?$', maxLength: 5, description: 'width to height; default: 1:1' })),
}
/** Defaults of the optional fields in {@link imagePromptFields}. */
export const imagePromptDefaults = { negativePrompt: '', aspectRatio: '1:1' }

/** Fields of an image generation that a client may write. */
export const ImageGenerationFields = T.Object({
  name: T.Optional(Text(200)),
  ...imagePromptFields,
  productId: T.Optional(Nullable(Id, { description: 'the product that the image is for' })),
  published: T.Optional(T.Boolean({ description: 'whether the gallery shows it once it is done; default: false' })),
})

const Images = T.Array(T.String(), { maxItems: 16, description: 'URLs of the images, once they are done' })
/** Schemas of the fields that the server writes. */
export const imageOutcomeFields = {
  status: oneOf(['draft', 'queued', 'running', 'done', 'failed']),
  images: Images,
  failure: Nullable(T.String(), { description: 'reason of the failure' }),
}

/** Image as other stores see it in the gallery, without its store. */
export const GalleryImage = named(
  'GalleryImage',
  T.Object({ id: Id, name: T.String(), prompt: T.String(), aspectRatio: T.String(), images: Images, createdAt: Timestamp }),
)
/** Type of {@link GalleryImage}. */
export type GalleryImage = Static<typeof GalleryImage>
