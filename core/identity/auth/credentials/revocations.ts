import type { Sql } from '../../../data/sql.ts'
import { readRevocations } from './revocations.queries.ts'

const LOOK_MS = 400
/** What was remembered is believed for so long after the last look began: no change takes longer to be known. */
const BELIEVED_MS = 900
/** More than this at once is not looked through: all is forgotten. */
const TOLD_MAX = 2_000

/** What may no longer be remembered: credentials by id, tokens by digest, and all of a person, a project, a tenant. */
export type Tags = ReadonlySet<string>

export interface Revocations {
  /** Whether all is known that was committed 0.9 s ago. */
  areKnown(): boolean
  stop(): Promise<void>
}

/**
 * Hears from the database itself what is no longer true of credentials, whoever changed it and wherever: by looking, since neither Redis nor a
 * pooler's connections can be relied upon. `sql`: a connection of its own, which nobody's queries keep waiting, and which ends with it.
 */
export async function watchRevocations(sql: Sql, hear: (tags: Tags | 'all') => void): Promise<Revocations> {
  let { horizon } = await readRevocations(sql, null, 0)
  let heard: ReadonlySet<string> = new Set()
  let knownAt = performance.now()
  let isStopped = false
  const stop = Promise.withResolvers<void>()

  async function look() {
    const began = performance.now()
    const now = await readRevocations(sql, horizon, TOLD_MAX)
    const news = now.told.filter((each) => !heard.has(each))
    // Whose transactions count from below is not the database that was read before.
    const isAnother = BigInt(now.horizon) < BigInt(horizon)
    if (isAnother || now.told.length === TOLD_MAX) hear('all')
    else if (news.length > 0) hear(new Set(news.map((each) => each.slice(each.indexOf(' ') + 1))))
    heard = new Set(now.told)
    horizon = now.horizon
    knownAt = began
  }

  const looking = (async () => {
    while (!isStopped) {
      await Promise.race([Bun.sleep(LOOK_MS), stop.promise])
      // While the database is away nothing is believed, and every check asks it.
      if (!isStopped) await look().catch(() => {})
    }
  })()
  return {
    areKnown: () => performance.now() - knownAt < BELIEVED_MS,
    async stop() {
      isStopped = true
      stop.resolve()
      await sql.end({ timeout: 0 })
      await looking
    },
  }
}
