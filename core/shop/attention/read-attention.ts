import type { Context } from '../../context.ts'
import { readFromReplica } from '../../data/database/replica.ts'
import { isStatementTimeout, withCustomPlan } from '../../data/keyset-page.ts'
import { WAITING_MAX, type Waiting } from '../../data/waiting.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { type ActingUser, hasRight, readStoreRights } from '../stores/access.ts'
import type { AttentionRow } from './attention.model.ts'
import { type AttentionSource, listAttentionSources } from './attention-source.ts'

/** Sources that are read at the same time; other requests need connections too. */
const AT_ONCE = 2
/** Milliseconds that the database may count one kind. */
const SOURCE_MS = 800
/** Milliseconds after which no further kind is counted. */
const ALL_MS = 4000

/** Answers that are prepared at once: each has up to two connections of the pool. */
const queueReading = queueByOwner({ own: 1, all: 3, waiting: 50 }, 'Too many readers of what waits in this store are waiting.')

/**
 * Lists what waits for a person in a store, by kind, as far as the user may see it. A kind that is slow or fails is in the list with its
 * problem. Throws `not_found` for a foreign store, `unavailable` where too many readers wait.
 */
export async function readAttention(
  context: Pick<Context, 'sql' | 'log'>,
  user: ActingUser,
  storeId: string,
  signal?: AbortSignal,
  sources: readonly AttentionSource[] = listAttentionSources(),
): Promise<AttentionRow[]> {
  const rights = await readStoreRights(context.sql, user, storeId)
  const visible = sources.filter(({ right }) => hasRight(rights, right))
  const readAll = () => {
    const endsAt = performance.now() + ALL_MS
    return mapConcurrent(visible, AT_ONCE, async (source) => {
      signal?.throwIfAborted()
      if (performance.now() > endsAt) return problemRow(source, 'slow')
      return countSource(context, source, rights.projectId)
    })
  }
  const rows = await queueReading(storeId, readAll, signal)
  return rows.filter(({ count }) => count !== 0)
}

async function countSource({ sql, log }: Pick<Context, 'sql' | 'log'>, source: AttentionSource, projectId: string): Promise<AttentionRow> {
  try {
    const read = (from: Context['sql']) => withCustomPlan(from, (tx) => source.count(tx, projectId), { timeoutMs: SOURCE_MS })
    return presentRow(source, await readFromReplica(sql, read))
  } catch (error) {
    if (isStatementTimeout(error)) return problemRow(source, 'slow')
    log.error({ err: error, kind: source.kind }, 'what waits for a person could not be counted')
    return problemRow(source, 'failed')
  }
}

const problemRow = ({ kind, group }: AttentionSource, problem: 'slow' | 'failed'): AttentionRow => ({
  kind,
  group,
  count: null,
  isMore: false,
  oldestAt: null,
  oldest: null,
  problem,
})

const presentRow = ({ kind, group }: AttentionSource, { count, oldestAt, oldest }: Waiting): AttentionRow => ({
  kind,
  group,
  count: Math.min(count, WAITING_MAX),
  isMore: count > WAITING_MAX,
  oldestAt,
  oldest: oldest && { orderId: null, parcelId: null, connectionId: null, paymentId: null, payoutId: null, ...oldest },
  problem: null,
})
