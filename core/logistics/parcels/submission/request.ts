import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { putInLine } from './submission.queries.ts'

export const SUBMISSIONS_CHANNEL = 'parcel-submissions'

/** Asks for a sending in the caller's transaction: it happens exactly if that commits. Call `wakeSenders` then, or it waits for their next look. */
export const requestSubmission = (tx: Queryable, projectId: string, parcelIds: readonly string[]) =>
  putInLine(tx, projectId, parcelIds, currentActor() ?? null)

/** Something was asked to be sent. */
export const wakeSenders = ({ shared }: Pick<Context, 'shared'>) => shared.publish(SUBMISSIONS_CHANNEL, '')
