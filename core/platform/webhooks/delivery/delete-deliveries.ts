import type { Context } from '../../../context.ts'
import type { EndpointRef } from '../endpoints.queries.ts'
import { deleteDeliveries, findLastOfBatch } from './deliveries.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'webhooks.deleteDeliveries': EndpointRef
  }
}

/** Rows that are deleted at once. */
const BATCH = 1_000

/** Deletes the deliveries of a deleted endpoint in batches. */
export async function deleteAllDeliveries({ sql }: Context, receiver: EndpointRef, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const last = await findLastOfBatch(sql, receiver, after, BATCH)
    await deleteDeliveries(sql, receiver, after, last)
    if (last === undefined) return
    after = last
  }
}
