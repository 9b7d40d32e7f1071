import { type Static, Type as T } from '@sinclair/typebox'
import { IMAGES_MAX } from '../../../plugins/model/model.ts'
import { exact, Id, named } from '../../http/schema.ts'
import { Outcome } from '../../shop/content/image-generations/image-generations.model.ts'

export const NewDrawing = named(
  'NewDrawing',
  exact({
    model: T.Optional(T.String({ minLength: 1, maxLength: 300, description: 'one that gives pictures; the first there is, unless said' })),
    count: T.Optional(T.Integer({ minimum: 1, maximum: IMAGES_MAX, description: '1 unless said' })),
    transparent: T.Optional(T.Boolean({ description: 'without a background, where the model can' })),
  }),
)
export type NewDrawing = Static<typeof NewDrawing>

/** How far a picture is. */
export const DrawingState = named('DrawingState', T.Object({ id: Id, ...Outcome }))
export type DrawingState = Static<typeof DrawingState>
