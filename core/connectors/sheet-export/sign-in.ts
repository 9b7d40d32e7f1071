import type { SpreadsheetAdapter } from '../../../plugins/spreadsheet/kind.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../http/errors/errors.ts'
import { connectionToSignIn } from '../../integrations/connections/oauth-client/sign-in-at.ts'
import { startSignIn } from '../../integrations/connections/oauth-client/start.ts'

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
  return startSignIn(context, await connectionToSignIn(context, storeId, adapter.slug), beginning)
}
