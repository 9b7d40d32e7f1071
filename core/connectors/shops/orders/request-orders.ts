import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../../data/sql.ts'
import { invalidValue } from '../../../http/errors/errors.ts'
import type { PullOrders } from '../channels.model.ts'
import type { Of } from '../channels.queries.ts'
import { requestReplay } from '../inbox/replay.ts'
import { requestPull } from './pull.ts'

const EPOCH = new Date(0).toISOString()

/** Has the orders of a shop read, and what it called with worked again where that is said. Throws where `since` is no time that has been. */
export async function requestOrders(tx: Tx, connection: Of, { since, callbacks }: Static<typeof PullOrders>): Promise<void> {
  const from = since === undefined ? undefined : momentIn(since)
  await requestPull(tx, connection, from)
  if (callbacks) await requestReplay(tx, connection, from ?? EPOCH)
}

function momentIn(since: string): string {
  const at = Date.parse(since)
  // From a time to come on there is nothing to read, and all until then would be left out.
  if (!(at <= Date.now())) throw invalidValue('/body/since', 'This is no time that has been.')
  return new Date(Math.max(0, at)).toISOString()
}
