import type { Context } from '../../context.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { listPickupSources, type PickupSourceRow } from './pickups.queries.ts'
import { refreshPickups } from './refresh.ts'

/** Age in milliseconds up to which pick-up points count as fresh. */
export const PICKUPS_FRESH_MS = 3_600_000
/** Minimum delay before a changed connection is refreshed again. */
const CHANGED_MS = 60_000
/** Delay after a failed refresh. */
const RETRY_MS = 5 * 60_000
const WAIT_MS = 3_000
const REREAD_MS = 150
const AT_ONCE = 4

/** Refreshes connections with stale pick-up points, and waits a moment for the results. Slower results appear with the next request. */
export async function refreshIfStale(
  context: Context,
  connections: readonly CarrierConnection[],
): Promise<ReadonlyMap<string, PickupSourceRow>> {
  const sources = await sourcesOf(context, connections)
  const stale = connections.filter((connection) => isStale(connection, sources.get(connection.row.id)))
  if (stale.length === 0) return sources
  const until = Date.now() + WAIT_MS
  const asked = mapConcurrent(stale, AT_ONCE, (connection) =>
    context.connections.runSingleFlight(`pickups:${connection.row.id}`, () => refreshPickups(context, connection)),
  ).catch((err) => context.log.warn({ err }, 'pick-ups could not be asked for'))
  await Promise.race([asked, Bun.sleep(WAIT_MS)])
  // Another process may be refreshing; it gets no more time than this one.
  const waited = new Set(stale.map(({ row }) => row.id))
  for (;;) {
    const now = await sourcesOf(context, connections)
    if (Date.now() >= until || ![...now.values()].some(({ connectionId, isAsking }) => isAsking && waited.has(connectionId))) return now
    await Bun.sleep(REREAD_MS)
  }
}

/** Returns the keys of connections, which may belong to the project and to the platform. */
export const keysOf = (connections: readonly CarrierConnection[]) => ({
  projectIds: [...new Set(connections.map(({ row }) => row.projectId))],
  ids: connections.map(({ row }) => row.id),
})

const sourcesOf = async ({ sql }: Context, connections: readonly CarrierConnection[]) =>
  new Map((await listPickupSources(sql, keysOf(connections))).map((source) => [source.connectionId, source]))

function isStale({ row }: CarrierConnection, source: PickupSourceRow | undefined): boolean {
  if (!source?.askedAt) return true
  const [asked, refreshed] = [Date.parse(source.askedAt), Date.parse(source.refreshedAt ?? '') || 0]
  const isChanged = Date.parse(row.updatedAt) > asked && Date.now() - asked > CHANGED_MS
  const isOld = Date.now() - refreshed > PICKUPS_FRESH_MS
  // A refresh is running, and is waited for.
  if (source.isAsking && isOld) return true
  if (source.failure !== null || refreshed === 0) return isChanged || Date.now() - asked > RETRY_MS
  return isChanged || isOld
}
