import type { Context } from '../../../context.ts'
import { openAnyConnection } from '../connection.ts'
import { findConnection } from '../connections.queries.ts'
import { acquireAccess } from './access.ts'
import { deleteExpiredStates, listIdleSignIns } from './oauth.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.renewIdleTokens': Record<string, unknown>
  }
}

const DAYS = 5
const AT_ONCE = 500

/** Renews tokens that were not used for days, since providers drop a sign-in after weeks of disuse. Also deletes expired states. */
export async function renewIdleTokens(context: Context, _: unknown, signal: AbortSignal): Promise<void> {
  await deleteExpiredStates(context.sql)
  for (const idle of await listIdleSignIns(context.sql, DAYS, AT_ONCE)) {
    if (signal.aborted) return
    const row = await findConnection(context.sql, idle)
    if (!row || !context.plugins.named(row.key)) continue
    await acquireAccess(context, openAnyConnection(context, row), signal).catch((err: unknown) =>
      context.log.info({ err, connection: idle.id }, 'an idle sign-in could not be renewed'),
    )
  }
}
