import { foldStatus } from '../../../../plugins/carrier/statuses.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { ApiError, invalidValue } from '../../../http/errors/errors.ts'
import { type CarrierConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { applyWaitingReports } from '../record-report.ts'
import type { StatusRule } from './status-rules.model.ts'
import { countRules, forgetUnknown, listUnknown, putRule } from './status-rules.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'integrations.remap': { connectionId: string; raws: string[] }
  }
}

const RULES_MAX = 500
const UNKNOWN_READ = 1_000

/**
 * A person says what a raw status means for this connection. It holds from now on, before the adapter's own table, and is applied to
 * the timelines that wait for it, in the background: each report in its own time's order, so that an old word moves nothing that newer
 * ones have moved since. Empty (no status, no cash): the word is known and changes nothing.
 */
export async function mapStatus(context: Context, { row }: CarrierConnection, rule: StatusRule) {
  const folded = foldStatus(rule.raw)
  if (!folded) throw invalidValue('/body/raw', 'It has no letters or digits.')
  if ((await countRules(context.sql, row.id)) >= RULES_MAX && !row.statusRules?.[folded])
    throw new ApiError('conflict', `A connection has at most ${RULES_MAX} statuses of its own. Remove some first.`)
  await transaction(context.sql, async (tx) => {
    const spellings = (await listUnknown(tx, row.id, null, UNKNOWN_READ)).map(({ raw }) => raw).filter((raw) => foldStatus(raw) === folded)
    const raws = [...new Set([rule.raw, ...spellings])]
    await putRule(tx, row.id, folded, rule)
    await forgetUnknown(tx, row.id, raws)
    await enqueue(tx, 'integrations.remap', { connectionId: row.id, raws }, { maxAttempts: 10 })
  })
  const { raw, status = null, cash = null, flag = null } = rule
  return { raw, status, cash, flag, createdAt: new Date().toISOString() }
}

export async function remap(context: Context, connectionId: string, raws: readonly string[], signal: AbortSignal) {
  const row = await findConnection(context.sql, connectionId)
  // The carrier is not asked: it does not matter whether the connection is on.
  if (row) await applyWaitingReports(context, openConnection(context, 'carrier', row), raws, signal)
}
