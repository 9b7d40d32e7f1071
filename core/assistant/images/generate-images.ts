import type { Drawing, sizes } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { addFile, assertRoom, type NewFile, presentFile } from '../../platform/files/files.ts'
import {
  assertNotGenerating,
  findGeneration,
  finishImageGeneration,
  type GenerationRow,
  queueImageGeneration,
  startImageGeneration,
} from '../../shop/content/image-generations/move-image-generation.ts'
import { resolveModel } from '../models/available-models.ts'
import { consumeImageQuota } from '../models/image-quota.ts'
import { generateImages } from '../models/model-calls.ts'
import type { NewDrawing } from './images.model.ts'
import { storeGeneratedImage } from './store-image.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'images.generate': NewDrawing & { readonly generationId: string; readonly model: string }
  }
}

const LONGEST_MS = 300_000

type Size = (typeof sizes)[number]

/** Returns the size that comes nearest to an aspect ratio such as `16:9`. */
export function sizeOf(aspectRatio: string): Size {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number)
  return width === height ? 'square' : width > height ? 'landscape' : 'portrait'
}

/**
 * Returns the id of the model that generates the images, after all checks, and counts them against the hourly limit. Throws `not_found`,
 * `conflict` when no model gives images, `invalid_transition`, `limit_reached`, `rate_limited`.
 */
export async function reserveImageModel(context: Context, generation: GenerationRow, asked: NewDrawing): Promise<string> {
  const storeId = storeIdOf(generation.projectId)
  // Checked first: a refused request must not use up the limit.
  assertNotGenerating(generation)
  await assertRoom(context, { storeId, userId: null }, 0)
  const usable = await resolveModel(context, { storeId }, asked.model, 'image')
  await consumeImageQuota(context, storeId, usable, asked.count ?? 1)
  return usable.id
}

/** Enqueues the job that generates the images. Throws `invalid_transition` when one is queued or running already. */
export async function enqueueDrawing(tx: Tx, generation: GenerationRow, asked: NewDrawing, model: string): Promise<GenerationRow> {
  const queued = await queueImageGeneration(tx, generation)
  await enqueue(tx, 'images.generate', { ...asked, model, generationId: generation.id }, { owner: storeIdOf(generation.projectId) })
  return queued
}

/**
 * Generates the images of a queued generation, once. Marks a generation failed that a lost process left running: repeating it by itself
 * could cost twice.
 */
export async function drawGeneration(context: Context, asked: NewDrawing & { generationId: string; model: string }, signal: AbortSignal) {
  const { sql } = context
  const id = asked.generationId
  const queued = await findGeneration(sql, id)
  const begun = queued && (await transaction(sql, (tx) => startImageGeneration(tx, queued)))
  if (!begun) {
    const failure = 'It was begun and broke off. Ask for it again.'
    const row = await findGeneration(sql, id)
    if (row?.status === 'running') await transaction(sql, (tx) => finishImageGeneration(tx, row, { failure }))
    return
  }
  try {
    const files = await generateFiles(context, begun, asked, signal)
    await transaction(sql, (tx) => addFiles(context, tx, begun, files))
  } catch (error) {
    const failure = publicMessageOf(error)
    if (failure === null) context.log.warn({ err: error, id }, 'a picture could not be drawn')
    await transaction(sql, (tx) => finishImageGeneration(tx, begun, { failure: failure ?? 'It could not be drawn. Ask for it again.' }))
  }
}

/** Returns the message that the user may see; null for an internal error. */
const publicMessageOf = (error: unknown): string | null =>
  error instanceof DomainError ? describeError(error) : error instanceof AdapterFailure ? error.message : null

async function generateFiles(context: Context, row: GenerationRow, { model, count = 1, transparent }: NewDrawing, signal: AbortSignal) {
  const owner = { storeId: storeIdOf(row.projectId) }
  const usable = await resolveModel(context, owner, model, 'image')
  const drawing: Omit<Drawing, 'model'> = {
    prompt: row.negativePrompt === '' ? row.prompt : `${row.prompt}\n\nWithout: ${row.negativePrompt}`,
    size: sizeOf(row.aspectRatio),
    count,
    ...(transparent !== undefined && { transparent }),
  }
  const { images } = await generateImages(context, owner, usable, drawing, { signal, deadlineMs: LONGEST_MS })
  return Promise.all(images.map((image, at) => storeGeneratedImage(context, owner.storeId, image, `picture-${at + 1}`)))
}

async function addFiles(context: Context, tx: Tx, row: GenerationRow, files: readonly NewFile[]): Promise<void> {
  const images: string[] = []
  for (const file of files)
    images.push(presentFile(context, await addFile(context, tx, { storeId: storeIdOf(row.projectId), userId: null }, file)).url)
  // Rolls back: a deleted generation leaves no files.
  if (!(await finishImageGeneration(tx, row, { images }))) throw notFound('The image generation')
}
