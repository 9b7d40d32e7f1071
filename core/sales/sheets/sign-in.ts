import type { SpreadsheetAdapter } from '../../../plugins/spreadsheet/kind.ts'
import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { chooseConnection } from '../../shop/connections/choose.ts'
import { connect } from '../../shop/connections/connect.ts'
import { notEnabled } from '../../shop/connections/connection.ts'
import { findConnectionByKey } from '../../shop/connections/connections.queries.ts'
import { startSignIn } from '../../shop/connections/oauth/start.ts'

/** The spreadsheet whose people sign in at this provider. */
export function adapterAt({ plugins }: Pick<Context, 'plugins'>, provider: string): SpreadsheetAdapter {
  const adapter = plugins
    .of('spreadsheet')
    .map((mounted) => mounted.adapter)
    .find((one) => one.provider === provider && one.oauth)
  if (!adapter) throw notFound(`A spreadsheet of "${provider}"`)
  return adapter
}

type Beginning = Parameters<typeof startSignIn>[2]

/** Where a person's browser goes to let the store reach spreadsheets. A store that has no connection yet gets one, with the platform's client. */
export async function beginSignIn(context: Context, storeId: string, adapter: SpreadsheetAdapter, beginning: Beginning): Promise<string> {
  const row = (await findConnectionByKey(context.sql, storeId, adapter.slug)) ?? (await connected(context, storeId, adapter))
  return startSignIn(context, row, beginning)
}

async function connected(context: Context, storeId: string, { slug, label }: SpreadsheetAdapter) {
  await chooseConnection(context, null, slug).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw notEnabled('spreadsheet', `There is no client to sign in at ${label} with. Connect the store with one of its own first.`)
  })
  return connect(context, storeId, slug, { enabled: true, credentials: {} })
}
