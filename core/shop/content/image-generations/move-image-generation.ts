import type { Tx } from '../../../data/sql.ts'
import { contentErrors } from '../content.errors.ts'
import { findImageGeneration, type ImageGenerationKey, type ImageGenerationRow, moveImageGeneration } from './image-generations.queries.ts'

export type { ImageGenerationRow as GenerationRow }
export { findImageGeneration as findGeneration }

const IDLE: readonly ImageGenerationRow['status'][] = ['draft', 'done', 'failed']

/** Throws `invalid_transition` where the image is queued or being generated. */
export function assertNotGenerating({ status }: ImageGenerationRow): void {
  if (!IDLE.includes(status)) throw contentErrors.imageUnderWay()
}

/** Queues an image generation. Throws `invalid_transition` where it is queued or running already. */
export async function queueImageGeneration(tx: Tx, key: ImageGenerationKey): Promise<ImageGenerationRow> {
  const queued = await moveImageGeneration(tx, key, IDLE, { status: 'queued' })
  if (queued) return queued
  throw contentErrors.imageUnderWay()
}

/** Marks a queued image generation as running. Returns null where it is no longer queued. */
export const startImageGeneration = async (tx: Tx, key: ImageGenerationKey): Promise<ImageGenerationRow | null> =>
  (await moveImageGeneration(tx, key, ['queued'], { status: 'running' })) ?? null

/** Records the images or the failure of a running generation. Returns false where it is no longer running. */
export async function finishImageGeneration(
  tx: Tx,
  key: ImageGenerationKey,
  outcome: { images: readonly string[] } | { failure: string },
): Promise<boolean> {
  const change =
    'images' in outcome ? { status: 'done' as const, images: outcome.images } : { status: 'failed' as const, failure: outcome.failure }
  return (await moveImageGeneration(tx, key, ['running'], change)) !== undefined
}
