import type { Sql } from '../../../data/sql.ts'
import { readRevocations } from './revocations.queries.ts'

const POLL_MS = 400
/** Time in milliseconds since the start of the last poll during which cache entries may be used. No change takes longer to be noticed. */
const UP_TO_DATE_MS = 900
/** Maximum number of revocations that are evicted one by one. With more at once, all caches are cleared. */
const BATCH_MAX = 2_000

/** Tags of cache entries to evict: credentials by id, tokens by digest, and all of a user, an app, a project or a tenant. */
export type RevocationTags = ReadonlySet<string>

/** Poll loop that reports revocations. */
export interface RevocationWatcher {
  /** Tells if all changes that were committed 0.9 s ago are known. */
  isUpToDate(): boolean
  stop(): Promise<void>
}

/**
 * Polls the database for revoked credentials and calls `onRevoked` with their tags. It polls because neither Redis nor connections of a
 * pooler are reliable. `sql` must be a connection of its own; `stop` ends it.
 */
export async function watchRevocations(sql: Sql, onRevoked: (tags: RevocationTags | 'all') => void): Promise<RevocationWatcher> {
  let { horizon } = await readRevocations(sql, null, 0)
  let seen: ReadonlySet<string> = new Set()
  let knownAt = performance.now()
  let isStopped = false
  const stop = Promise.withResolvers<void>()

  async function poll() {
    const began = performance.now()
    const now = await readRevocations(sql, horizon, BATCH_MAX)
    const unseen = now.revocations.filter((each) => !seen.has(each))
    // A lower transaction id means that this is not the database that was read before.
    const isOtherDatabase = BigInt(now.horizon) < BigInt(horizon)
    if (isOtherDatabase || now.revocations.length === BATCH_MAX) onRevoked('all')
    else if (unseen.length > 0) onRevoked(new Set(unseen.map((each) => each.slice(each.indexOf(' ') + 1))))
    seen = new Set(now.revocations)
    horizon = now.horizon
    knownAt = began
  }

  const polling = (async () => {
    while (!isStopped) {
      await Promise.race([Bun.sleep(POLL_MS), stop.promise])
      // While the database is unavailable, no cache entry is used and every check queries it.
      if (!isStopped) await poll().catch(() => {})
    }
  })()
  return {
    isUpToDate: () => performance.now() - knownAt < UP_TO_DATE_MS,
    async stop() {
      isStopped = true
      stop.resolve()
      await sql.end({ timeout: 0 })
      await polling
    },
  }
}
