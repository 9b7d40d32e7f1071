import type { SpreadsheetAdapter } from '../../../../plugins/spreadsheet/kind.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { changeConnection, connectAdapter, disconnectAdapter } from '../../../integrations/connections/connect.ts'
import type { Connection } from '../../../integrations/connections/connection.ts'
import type { NewIntegration } from '../../../integrations/connections/connections.model.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import type { startSignIn } from '../../../integrations/connections/oauth-client/start-sign-in.ts'
import { invariant } from '../../../lib/invariant.ts'
import { hasTarget } from '../../sheet-export/configure-target.ts'
import { startSheetsSignIn } from '../../sheet-export/sign-in.ts'
import { ensureRowSource } from './configure-row-source.ts'
import { deleteRowSource } from './row-sources.queries.ts'

/** Finds the spreadsheet adapter of a platform whose rows can become orders. */
export function findRowSpreadsheet({ plugins }: Pick<Context, 'plugins'>, platform: string): SpreadsheetAdapter | undefined {
  const adapter = plugins.find('spreadsheet', platform)?.adapter
  return adapter?.nameRows ? adapter : undefined
}

/**
 * Connects a spreadsheet as a source of orders. A store has one connection per spreadsheet provider, for export and import; options that
 * are not given stay.
 */
export async function connectRowSource(
  context: Context,
  storeId: string,
  { slug }: SpreadsheetAdapter,
  request: NewIntegration,
): Promise<Connection['row']> {
  const existing = await findConnectionByKey(context.sql, storeId, slug)
  const { name: _, credentials, ...input } = request
  const row =
    existing && Object.keys(credentials).length === 0
      ? await changeConnection(context, storeId, slug, input)
      : await connectAdapter(context, storeId, slug, { credentials, ...input })
  await transaction(context.sql, (tx) => ensureRowSource(tx, row))
  return row
}

/** Starts a sign-in that connects a spreadsheet as a source of orders, and returns the address that the browser must open. */
export async function startRowSourceSignIn(
  context: Context,
  storeId: string,
  adapter: SpreadsheetAdapter,
  beginning: Parameters<typeof startSignIn>[2],
): Promise<string> {
  const url = await startSheetsSignIn(context, storeId, adapter, beginning)
  const row = invariant(await findConnectionByKey(context.sql, storeId, adapter.slug), 'A connection that somebody signs in for')
  await transaction(context.sql, (tx) => ensureRowSource(tx, row))
  return url
}

/** Stops the import of rows. Deletes the connection, unless orders are still exported by it. */
export async function disconnectRowSource(context: Context, row: Connection['row']): Promise<void> {
  await disconnectAdapter(context, row.storeId, row.key, { connection: row.id }, async (tx) => {
    await deleteRowSource(tx, row)
    return hasTarget(tx, { projectId: row.projectId, connectionId: row.id })
  })
}
