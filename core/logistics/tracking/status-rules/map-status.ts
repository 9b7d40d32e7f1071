import { foldStatus } from '../../../../plugins/carrier/statuses.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { type CarrierConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnectionById } from '../../../integrations/connections/connections.queries.ts'
import { applyUnmappedReports } from '../record-report.ts'
import { trackingErrors } from '../tracking.errors.ts'
import type { StatusRule } from './status-rules.model.ts'
import { countStatusRules, deleteUnknownStatuses, listUnknownStatuses, upsertStatusRule } from './status-rules.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'tracking.remap': { connectionId: string; raws: string[] }
  }
}

const RULES_MAX = 500
const UNKNOWN_READ = 1_000

/**
 * Defines the meaning of a raw status for a connection. The rule applies from now on, before the adapter's table. A job applies it to
 * waiting reports in the order of their times, so that an old report does not undo newer changes. A rule without status and cash marks the
 * raw status as known and without effect.
 */
export async function mapStatus(context: Context, { row }: CarrierConnection, rule: StatusRule) {
  const folded = foldStatus(rule.raw)
  if (!folded) throw trackingErrors.statusWithoutLetters({ field: ['raw'] })
  if ((await countStatusRules(context.sql, row)) >= RULES_MAX && !row.statusRules?.[folded])
    throw trackingErrors.tooManyStatusRules({ rulesMax: RULES_MAX })
  await transaction(context.sql, async (tx) => {
    const spellings = (await listUnknownStatuses(tx, row, null, UNKNOWN_READ))
      .map(({ raw }) => raw)
      .filter((raw) => foldStatus(raw) === folded)
    const raws = [...new Set([rule.raw, ...spellings])]
    await upsertStatusRule(tx, row, folded, rule)
    await deleteUnknownStatuses(tx, row, raws)
    await enqueue(tx, 'tracking.remap', { connectionId: row.id, raws }, { maxAttempts: 10 })
  })
  const { raw, status = null, cash = null, flag = null } = rule
  return { raw, status, cash, flag, createdAt: new Date().toISOString() }
}

/** Applies waiting reports of these raw statuses. Work of the job `tracking.remap`. */
export async function remapReports(context: Context, connectionId: string, raws: readonly string[], signal: AbortSignal) {
  const row = await findConnectionById(context.sql, connectionId)
  // This does not call the carrier, so the connection may be disabled.
  if (row) await applyUnmappedReports(context, openConnection(context, 'carrier', row), raws, signal)
}
