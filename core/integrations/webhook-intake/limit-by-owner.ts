import type { Context } from '../../context.ts'
import { assertRate, queueByOwner } from '../../http/concurrency.ts'
import type { Connection } from '../connections/connection.ts'

/** Largest number of webhooks of one owner in a minute, proven or not. Platforms that are told to wait send them again. */
const PER_MINUTE = 6_000

/** Handles at most 32 webhooks of one owner at once, and lets 64 more wait for 5 s. Platforms give up after 5 to 30 s. */
const queue = queueByOwner({ own: 32, all: 256, waiting: 64, waitMs: 5_000 }, 'Too many webhooks of this account are being handled.')

/**
 * Runs work for a webhook within the limits of the connection's owner: a store, or the platform's account at one provider. Throws
 * `rate_limited` and `unavailable`.
 */
export async function limitByOwner<V>(context: Context, { row }: Pick<Connection, 'row'>, work: () => Promise<V>): Promise<V> {
  const owner = row.storeId || row.key
  await assertRate(context, `webhook:${owner}`, PER_MINUTE)
  return queue(owner, work)
}
