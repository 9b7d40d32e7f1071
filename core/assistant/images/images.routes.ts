import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type CreationRequest, createOnce, findPreviousResponse } from '../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../http/openapi/operation.ts'
import { Data, Id, Nullable } from '../../http/schema.ts'
import { capture } from '../../lib/async/capture.ts'
import { findGeneration, type GenerationRow } from '../../shop/content/image-generations/move-image-generation.ts'
import { storeItemMacro } from '../../shop/stores/authority.ts'
import { enqueueDrawing, reserveImageModel } from './generate-images.ts'
import { DrawingState, NewDrawing } from './images.model.ts'

const present = ({ id, status, images, failure }: GenerationRow): DrawingState => ({ id, status, images: [...images], failure })

type Begun = { data: DrawingState }

async function startDrawing(
  context: Context,
  creation: CreationRequest & { generation: GenerationRow; body: NewDrawing | null | undefined },
): Promise<Begun> {
  const { generation, body } = creation
  const asked = body ?? {}
  const model = await capture(reserveImageModel(context, generation, asked))
  return createOnce(context, creation, async (tx) => ({ data: present(await enqueueDrawing(tx, generation, asked, model())) }))
}

/** Route that generates the images of an image generation. */
export const imageDrawing = (context: Context) =>
  new Elysia({ name: 'image drawing', prefix: '/v1/image_generations' })
    .use(context.authority)
    .macro(
      'generation',
      storeItemMacro(context, 'generation', (id) => findGeneration(context.sql, id)),
    )
    .post(
      '/:id/generate',
      async (creation) => {
        // Looks up a repeated request first, so that it is not counted twice and needs no model.
        const made = (await findPreviousResponse<Begun>(context, creation)) ?? (await startDrawing(context, creation))
        creation.set.status = 202
        return made
      },
      {
        generation: ['admin', 'stores:write'],
        params: T.Object({ id: Id }),
        body: T.Optional(Nullable(NewDrawing)),
        response: { 202: Data(DrawingState) },
        detail: {
          parameters: [idempotencyKeyHeader],
          tags: ['Image generations'],
          summary: 'Generate the images; they are ready when the status is done',
          operationId: 'imageGeneration.generate',
        },
      },
    )
