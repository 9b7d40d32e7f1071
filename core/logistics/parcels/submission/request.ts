import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { enqueueSubmissions } from './submission.queries.ts'

/** Channel on which senders learn of new submissions. */
export const SUBMISSIONS_CHANNEL = 'parcel-submissions'

/**
 * Queues parcels for submission in the caller's transaction. Call `wakeSenders` after the commit; otherwise they wait for the senders' next
 * poll.
 */
export const requestSubmission = (tx: Queryable, projectId: string, parcelIds: readonly string[]) =>
  enqueueSubmissions(tx, projectId, parcelIds, currentActor() ?? null)

/** Wakes the senders of all processes after a submission was queued. */
export const wakeSenders = ({ shared }: Pick<Context, 'shared'>) => shared.publish(SUBMISSIONS_CHANNEL, '')
