import type { Static } from '@sinclair/typebox'
import type { Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import type { PullRequest } from '../connectors.model.ts'
import { requestReplay } from '../inbox/replay.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { requestPull } from './pull-orders.ts'

const EPOCH = new Date(0).toISOString()

/** Requests a pull, and a replay of stored webhooks if asked for. Throws a validation error if `since` is in the future. */
export async function requestPullAndReplay(
  tx: Tx,
  connection: ConnectionRef,
  { since, callbacks }: Static<typeof PullRequest>,
): Promise<void> {
  const from = since === undefined ? undefined : pastTimeIn(since)
  await requestPull(tx, connection, from)
  if (callbacks) await requestReplay(tx, connection, from ?? EPOCH)
}

function pastTimeIn(since: string): string {
  const at = Date.parse(since)
  // A pull from the future reads nothing and would skip all orders until then.
  if (!(at <= Date.now())) throw connectorShopErrors.timeInFuture({ field: ['since'] })
  return new Date(Math.max(0, at)).toISOString()
}
