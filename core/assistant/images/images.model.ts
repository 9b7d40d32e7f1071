import { type Static, Type as T } from '@sinclair/typebox'
import { IMAGES_MAX } from '../../../plugins/model/model.ts'
import { exact, Id, named } from '../../http/schema.ts'
import { imageOutcomeFields } from '../../shop/content/image-generations/image-generations.model.ts'

/** Body that starts the generation of images. */
export const NewDrawing = named(
  'NewDrawing',
  exact({
    model: T.Optional(T.String({ minLength: 1, maxLength: 300, description: 'model that gives images; by default the first one' })),
    count: T.Optional(T.Integer({ minimum: 1, maximum: IMAGES_MAX, description: '1 by default' })),
    transparent: T.Optional(T.Boolean({ description: 'no background, if the model supports it' })),
  }),
)
/** Type of {@link NewDrawing}. */
export type NewDrawing = Static<typeof NewDrawing>

/** Progress of an image generation. */
export const DrawingState = named('DrawingState', T.Object({ id: Id, ...imageOutcomeFields }))
/** Type of {@link DrawingState}. */
export type DrawingState = Static<typeof DrawingState>
