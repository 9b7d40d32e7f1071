import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { findGeneration, type GenerationRow, moveGeneration } from './image-generations.queries.ts'

export type { GenerationRow }
export { findGeneration }

const IDLE: readonly GenerationRow['status'][] = ['draft', 'done', 'failed']

const alreadyGeneratingError = () => new ApiError('invalid_transition', 'The image is being generated already. Wait until it is done.')

/** Throws `invalid_transition` where the image is queued or being generated. */
export function assertIdle({ status }: GenerationRow): void {
  if (!IDLE.includes(status)) throw alreadyGeneratingError()
}

/** Queues an image generation. Throws `invalid_transition` where it is queued or running already. */
export async function queueGeneration(tx: Tx, id: string): Promise<GenerationRow> {
  const queued = await moveGeneration(tx, id, IDLE, { status: 'queued' })
  if (queued) return queued
  throw alreadyGeneratingError()
}

/** Marks a queued image generation as running. Returns null where it is no longer queued. */
export const beginGeneration = async (tx: Tx, id: string): Promise<GenerationRow | null> =>
  (await moveGeneration(tx, id, ['queued'], { status: 'running' })) ?? null

/** Records the images or the failure of a running generation. Returns false where it is no longer running. */
export async function endGeneration(tx: Tx, id: string, outcome: { images: readonly string[] } | { failure: string }): Promise<boolean> {
  const change =
    'images' in outcome ? { status: 'done' as const, images: outcome.images } : { status: 'failed' as const, failure: outcome.failure }
  return (await moveGeneration(tx, id, ['running'], change)) !== undefined
}
