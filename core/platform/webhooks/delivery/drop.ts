import type { Context } from '../../../context.ts'
import { deleteDeliveries, lastOfSlice, type Receiver } from './deliveries.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'webhooks.dropDeliveries': Receiver
  }
}

/** Rows deleted at once. */
const SLICE = 1_000

/** Deletes what was delivered to an endpoint that is gone, and what waited for it, slice by slice. */
export async function dropDeliveries({ sql }: Context, receiver: Receiver, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const last = await lastOfSlice(sql, receiver, after, SLICE)
    await deleteDeliveries(sql, receiver, after, last)
    if (last === undefined) return
    after = last
  }
}
