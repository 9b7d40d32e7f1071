import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../../data/sql.ts'
import { invalidValue } from '../../../http/errors/errors.ts'
import type { PullOrders } from '../channels.model.ts'
import type { Of } from '../channels.queries.ts'
import { requestReplay } from '../inbox/replay.ts'
import { requestPull } from './pull.ts'

const EPOCH = new Date(0).toISOString()

/** Requests a pull, and a replay of stored webhooks if asked for. Throws a validation error if `since` is in the future. */
export async function requestOrders(tx: Tx, connection: Of, { since, callbacks }: Static<typeof PullOrders>): Promise<void> {
  const from = since === undefined ? undefined : pastTimeIn(since)
  await requestPull(tx, connection, from)
  if (callbacks) await requestReplay(tx, connection, from ?? EPOCH)
}

function pastTimeIn(since: string): string {
  const at = Date.parse(since)
  // A pull from the future reads nothing and would skip all orders until then.
  if (!(at <= Date.now())) throw invalidValue('/body/since', 'Must not be in the future.')
  return new Date(Math.max(0, at)).toISOString()
}
