import type { Context } from '../../../context.ts'
import type { Shared } from '../../../data/shared/shared.ts'
import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import type { Store } from '../../stores/stores.model.ts'
import { COMMENTS_MAX, type Comment, FEEDBACKS_AN_HOUR, type Feedback, type NewFeedback } from './feedbacks.model.ts'
import { appendComment, insertFeedback } from './feedbacks.queries.ts'

const HOUR_MS = 3_600_000

/** Throws `rate_limited` where a network has written as much to this store as it may in an hour. */
async function assertPace(shared: Shared, storeId: string, network: string): Promise<void> {
  const { count, resetMs } = await shared.hit(`feedback:${storeId}:${network}`, HOUR_MS)
  if (count <= FEEDBACKS_AN_HOUR) return
  const wait = String(Math.ceil(resetMs / 1000))
  throw new ApiError('rate_limited', `A store takes at most ${FEEDBACKS_AN_HOUR} an hour from one network. Wait ${wait} s.`, {
    headers: { 'retry-after': wait },
  })
}

/**
 * Takes what a customer says, and tells the store. `network`: where a stranger writes from; members and keys write as they like. Throws
 * `not_found` where the store has no such product or order, and `rate_limited`.
 */
export async function writeFeedback(
  { shared }: Pick<Context, 'shared'>,
  tx: Tx,
  store: Store,
  feedback: NewFeedback,
  network: string | null,
): Promise<Feedback> {
  if (network !== null) await assertPace(shared, store.id, network)
  const written = await insertFeedback(tx, newId('fbk'), feedback)
  const event = { projectId: store.projectId, storeId: store.id, orderKey: written.id }
  await emitWebhook(tx, [{ ...event, type: 'feedback.created', data: { feedback: written } }])
  return written
}

/** What the store answers to it. */
export async function commentOn(tx: Tx, feedbackId: string, text: string): Promise<Comment> {
  const comment = { id: newId('com'), text, createdAt: new Date().toISOString() }
  if (!(await appendComment(tx, feedbackId, comment, COMMENTS_MAX)))
    throw new ApiError('conflict', `It has ${COMMENTS_MAX} comments already, or was deleted meanwhile.`)
  return comment
}
