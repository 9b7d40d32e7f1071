import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { findGeneration, type GenerationRow, moveGeneration } from './image-generations.queries.ts'

export type { GenerationRow }
export { findGeneration }

const IDLE: readonly GenerationRow['status'][] = ['draft', 'done', 'failed']

const drawnAlready = () => new ApiError('invalid_transition', 'It is being drawn already. Wait until it is done.')

/** Throws `invalid_transition` where it waits its turn, or is being drawn. */
export function assertIdle({ status }: GenerationRow): void {
  if (!IDLE.includes(status)) throw drawnAlready()
}

/** What is asked for waits its turn. Throws `invalid_transition` where it does already. */
export async function queueGeneration(tx: Tx, id: string): Promise<GenerationRow> {
  const queued = await moveGeneration(tx, id, IDLE, { status: 'queued' })
  if (queued) return queued
  throw drawnAlready()
}

/** Null where it does not wait any more: somebody else draws it, or it is gone. */
export const beginGeneration = async (tx: Tx, id: string): Promise<GenerationRow | null> =>
  (await moveGeneration(tx, id, ['queued'], { status: 'running' })) ?? null

/** What came of it; false where nobody waits for it any more. */
export async function endGeneration(tx: Tx, id: string, came: { images: readonly string[] } | { failure: string }): Promise<boolean> {
  const change = 'images' in came ? { status: 'done' as const, images: came.images } : { status: 'failed' as const, failure: came.failure }
  return (await moveGeneration(tx, id, ['running'], change)) !== undefined
}
