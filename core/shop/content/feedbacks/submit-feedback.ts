import type { Context } from '../../../context.ts'
import type { SharedState } from '../../../data/shared/shared.ts'
import type { Tx } from '../../../data/sql.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { newId } from '../../../lib/ids.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import type { Store } from '../../stores/stores.model.ts'
import { contentErrors } from '../content.errors.ts'
import { COMMENTS_MAX, type Comment, FEEDBACKS_PER_HOUR, type Feedback, type NewFeedback } from './feedbacks.model.ts'
import { appendComment, insertFeedback } from './feedbacks.queries.ts'

/** Throws `rate_limited` where a network has submitted its maximum of feedback to this store within the hour. */
async function assertSubmitRate(shared: SharedState, storeId: string, network: string): Promise<void> {
  const { count, resetMs } = await shared.countHit(`feedback:${storeId}:${network}`, HOUR_MS)
  if (count <= FEEDBACKS_PER_HOUR) return
  const wait = Math.ceil(resetMs / 1000)
  throw contentErrors.tooManyFeedbacks(
    { feedbacksPerHour: FEEDBACKS_PER_HOUR, wait },
    {
      retryAfterSeconds: wait,
    },
  )
}

/**
 * Stores a customer's feedback and emits `feedback.created`. `network` is the customer's network; null for members and API keys, who have
 * no limit. Throws `rate_limited`, and `not_found` for a product or order that the store does not have.
 */
export async function submitFeedback(
  { shared }: Pick<Context, 'shared'>,
  tx: Tx,
  store: Store,
  feedback: NewFeedback,
  network: string | null,
): Promise<Feedback> {
  if (network !== null) await assertSubmitRate(shared, store.id, network)
  const { projectId, ...row } = await insertFeedback(tx, { projectId: store.projectId, id: newId('fbk') }, feedback)
  const written = { ...row, storeId: store.id }
  await emitWebhook(tx, [{ projectId, type: 'feedback.created', data: { feedback: written }, orderKey: written.id }])
  return written
}

/** Adds a comment of the store to a feedback. Throws `conflict` where it has the maximum of comments or was deleted. */
export async function addComment(tx: Tx, feedback: Parameters<typeof appendComment>[1], text: string): Promise<Comment> {
  const comment = { id: newId('com'), text, createdAt: new Date().toISOString() }
  if (!(await appendComment(tx, feedback, comment, COMMENTS_MAX))) throw contentErrors.tooManyComments({ commentsMax: COMMENTS_MAX })
  return comment
}
