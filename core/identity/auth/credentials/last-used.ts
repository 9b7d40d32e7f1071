import { type Sql, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import { touchSessions } from '../auth.queries.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** When API keys were last used, as far as this process knows. `isLast`: it stops, and says no more. */
    'keys.used': { ids: string[]; times: string[]; isLast: boolean }
  }
}

const WRITE_MS = 30_000
const NOTED_MAX = 50_000

/** Of credentials: noted in memory at each request, written together now and then. */
export interface Uses {
  note(principal: Principal): void
  /** What is noted so far; done by itself now and then. */
  write(): Promise<void>
  /** Writes what is noted still. */
  stop(): Promise<void>
}

export function noteUses(sql: Sql): Uses {
  const [sessions, keys] = [new Map<string, number>(), new Map<string, number>()]

  async function write(isLast: boolean) {
    const [ofSessions, ofKeys] = [sessions, keys].map(taken) as [Taken, Taken]
    if (ofSessions.ids.length > 0) await touchSessions(sql, ofSessions.ids, ofSessions.times)
    if (ofKeys.ids.length > 0) await transaction(sql, (tx) => publish(tx, 'keys.used', { ...ofKeys, isLast }))
  }

  const timer = setInterval(() => void write(false).catch(() => {}), WRITE_MS)
  timer.unref()
  return {
    note({ credentialId, person, app }) {
      if (app) return
      const noted = person ? sessions : keys
      if (noted.size >= NOTED_MAX) evictOldest(noted, NOTED_MAX - 1)
      noted.set(credentialId, Date.now())
    },
    write: () => write(false),
    async stop() {
      clearInterval(timer)
      await write(true).catch(() => {})
    },
  }
}

interface Taken {
  readonly ids: string[]
  readonly times: string[]
}

/** In the order of their ids, so that nobody waits for one who waits for him. */
function taken(noted: Map<string, number>): Taken {
  const all = [...noted].sort(([a], [b]) => (a < b ? -1 : 1))
  noted.clear()
  return { ids: all.map(([id]) => id), times: all.map(([, at]) => new Date(at).toISOString()) }
}
