import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { findRemittanceByFile } from '../remittances.queries.ts'
import type { InspectedUpload } from '../sheet/reader.ts'
import { refusalOf, type SheetRefusal } from '../sheet/refusal.ts'
import type { CheckedPayout } from './import.model.ts'
import { importRemittance } from './import.ts'

/** Rolls back the transaction of a check and carries its result out. */
class CheckRollback extends Error {
  constructor(readonly payout: Payout) {
    super('The sheet was tried.')
  }
}

type Payout = NonNullable<CheckedPayout['payout']>

/**
 * Checks a sheet and changes nothing: its columns, its first rows, and what its lines would say of the money that the carrier owes. The
 * lines are imported in a transaction that is rolled back, so that the check and the import cannot differ.
 */
export async function checkSheet(
  context: Context,
  connection: CarrierConnection,
  { upload, inspected }: InspectedUpload,
): Promise<CheckedPayout> {
  const { projectId, id: connectionId } = connection.row
  const { headings, rows, columns, lines } = inspected
  const before = await findRemittanceByFile(context.sql, projectId, connectionId, upload.hash)
  const judged = inspected.problem ? { problem: inspected.problem, payout: null } : await judge(context, connection, { upload, inspected })
  return {
    headings: [...headings],
    rows: rows.map((row) => [...row]),
    columns: { ...columns },
    lines: lines.length,
    problem: judged.problem && presentProblem(judged.problem),
    payout: judged.payout,
    importedAs: before ? { id: before.id, state: before.state } : null,
  }
}

async function judge(
  context: Context,
  connection: CarrierConnection,
  { upload, inspected: { columns, lines } }: InspectedUpload,
): Promise<{ problem: SheetRefusal | null; payout: Payout | null }> {
  try {
    return await transaction(context.sql, async (tx) => {
      const { payout } = await importRemittance(tx, connection, upload, { columns, lines }, { isTrial: true })
      throw new CheckRollback({ amount: payout.amount, totals: payout.totals })
    })
  } catch (error) {
    if (error instanceof CheckRollback) return { problem: null, payout: error.payout }
    if (error instanceof DomainError) return { problem: refusalOf(error), payout: null }
    throw error
  }
}

const presentProblem = ({ code, message, issues }: SheetRefusal) => ({
  code,
  message,
  details: issues.map(({ field, message: text }) => ({ path: ['', ...field].join('/'), message: text })),
})
