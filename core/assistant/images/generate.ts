import type { Drawing, sizes } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { addFile, assertRoom, type NewFile, presentFile } from '../../platform/files/files.ts'
import {
  assertIdle,
  beginGeneration,
  endGeneration,
  findGeneration,
  type GenerationRow,
  queueGeneration,
} from '../../shop/content/image-generations/image-work.ts'
import { draw } from '../models/ask.ts'
import { countPictures } from '../models/pictures.ts'
import { usableModel } from '../models/usable.ts'
import type { NewDrawing } from './images.model.ts'
import { keepPicture } from './keep.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'images.draw': NewDrawing & { readonly generationId: string; readonly model: string }
  }
}

const LONGEST_MS = 300_000

type Size = (typeof sizes)[number]

/** The shape that comes nearest. */
export function sizeOf(aspectRatio: string): Size {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number)
  return width === height ? 'square' : width > height ? 'landscape' : 'portrait'
}

/** The model that draws it. Throws `not_found`, `conflict` where there is none, `invalid_transition`, `limit_reached`, `rate_limited`. */
export async function painterFor(context: Context, generation: GenerationRow, asked: NewDrawing): Promise<string> {
  const { storeId } = generation
  // Before its pictures are counted: what is refused draws none.
  assertIdle(generation)
  await assertRoom(context, { storeId, userId: null }, 0)
  const usable = await usableModel(context, { storeId }, asked.model, 'image')
  await countPictures(context, storeId, usable, asked.count ?? 1)
  return usable.id
}

/** Has it drawn, by a job. Throws `invalid_transition` where it is being drawn already. */
export async function askForDrawing(tx: Tx, { id, storeId }: GenerationRow, asked: NewDrawing, model: string): Promise<GenerationRow> {
  const queued = await queueGeneration(tx, id)
  await enqueue(tx, 'images.draw', { ...asked, model, generationId: id }, { owner: storeId })
  return queued
}

/** Draws once: what was begun and has no end, since its process is gone, is not asked for again by itself. */
export async function drawGeneration(context: Context, asked: NewDrawing & { generationId: string; model: string }, signal: AbortSignal) {
  const { sql } = context
  const id = asked.generationId
  const begun = await transaction(sql, (tx) => beginGeneration(tx, id))
  if (!begun) {
    const failure = 'It was begun and broke off. Ask for it again.'
    const isLeft = (await findGeneration(sql, id))?.status === 'running'
    if (isLeft) await transaction(sql, (tx) => endGeneration(tx, id, { failure }))
    return
  }
  try {
    const files = await drawn(context, begun, asked, signal)
    await transaction(sql, (tx) => keepAll(context, tx, begun, files))
  } catch (error) {
    const failure = toldOf(error)
    if (failure === null) context.log.warn({ err: error, id }, 'a picture could not be drawn')
    await transaction(sql, (tx) => endGeneration(tx, id, { failure: failure ?? 'It could not be drawn. Ask for it again.' }))
  }
}

/** What people are told; null for a fault of ours. */
const toldOf = (error: unknown): string | null => (error instanceof AdapterFailure || error instanceof ApiError ? error.message : null)

async function drawn(context: Context, row: GenerationRow, { model, count = 1, transparent }: NewDrawing, signal: AbortSignal) {
  const owner = { storeId: row.storeId }
  const usable = await usableModel(context, owner, model, 'image')
  const drawing: Omit<Drawing, 'model'> = {
    prompt: row.negativePrompt === '' ? row.prompt : `${row.prompt}\n\nWithout: ${row.negativePrompt}`,
    size: sizeOf(row.aspectRatio),
    count,
    ...(transparent !== undefined && { transparent }),
  }
  const { images } = await draw(context, owner, usable, drawing, { signal, deadlineMs: LONGEST_MS })
  return Promise.all(images.map((image, at) => keepPicture(context, row.storeId, image, `picture-${at + 1}`)))
}

async function keepAll(context: Context, tx: Tx, { id, storeId }: GenerationRow, files: readonly NewFile[]): Promise<void> {
  const images: string[] = []
  for (const file of files) images.push(presentFile(context, await addFile(context, tx, { storeId, userId: null }, file)).url)
  // Where nobody waits for them any more they are no files of the store's.
  if (!(await endGeneration(tx, id, { images }))) throw notFound('The image generation')
}
