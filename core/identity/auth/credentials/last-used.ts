import { type Sql, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import { touchSessions } from '../auth.queries.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published with the last use of API keys, as far as this process knows. `isLast` is true when the process stops. */
    'keys.used': { ids: string[]; times: string[]; isLast: boolean }
  }
}

const WRITE_MS = 30_000
const RECORDED_MAX = 50_000

/** Recorder of the last use of credentials. It collects uses in memory and writes them in batches. */
export interface LastUsedRecorder {
  /** Records a use now. Tokens of apps are ignored. */
  record(principal: Principal): void
  /** Writes the recorded uses to the database; a timer does so every 30 s. */
  flush(): Promise<void>
  /** Stops the timer and writes the uses that are still in memory. */
  stop(): Promise<void>
}

/** Creates a recorder and starts its timer. */
export function lastUsedRecorder(sql: Sql): LastUsedRecorder {
  const [sessions, keys] = [new Map<string, number>(), new Map<string, number>()]

  async function write(isLast: boolean) {
    const [ofSessions, ofKeys] = [sessions, keys].map(drain) as [UseBatch, UseBatch]
    if (ofSessions.ids.length > 0) await touchSessions(sql, ofSessions.ids, ofSessions.times)
    if (ofKeys.ids.length > 0) await transaction(sql, (tx) => publish(tx, 'keys.used', { ...ofKeys, isLast }))
  }

  const timer = setInterval(() => void write(false).catch(() => {}), WRITE_MS)
  timer.unref()
  return {
    record({ credentialId, person, app }) {
      if (app) return
      const recorded = person ? sessions : keys
      if (recorded.size >= RECORDED_MAX) evictOldest(recorded, RECORDED_MAX - 1)
      recorded.set(credentialId, Date.now())
    },
    flush: () => write(false),
    async stop() {
      clearInterval(timer)
      await write(true).catch(() => {})
    },
  }
}

interface UseBatch {
  readonly ids: string[]
  readonly times: string[]
}

/** Empties the map and returns its entries, sorted by id so that concurrent writers lock rows in one order. */
function drain(uses: Map<string, number>): UseBatch {
  const all = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
  uses.clear()
  return { ids: all.map(([id]) => id), times: all.map(([, at]) => new Date(at).toISOString()) }
}
