import type { SpreadsheetAdapter } from '../../../plugins/spreadsheet/kind.ts'
import type { Context } from '../../context.ts'
import { findOrCreateConnectionToSignIn } from '../../integrations/connections/oauth-client/connection-to-sign-in.ts'
import { startSignIn } from '../../integrations/connections/oauth-client/start-sign-in.ts'
import { notFound } from '../../lib/errors/domain-error.ts'

/** Finds the spreadsheet adapter with a sign-in at a provider. Throws `not_found` if there is none. */
export function spreadsheetOfProvider({ plugins }: Pick<Context, 'plugins'>, provider: string): SpreadsheetAdapter {
  const adapter = plugins
    .of('spreadsheet')
    .map((mounted) => mounted.adapter)
    .find((one) => one.provider === provider && one.oauth)
  if (!adapter) throw notFound(`A spreadsheet of "${provider}"`)
  return adapter
}

type SignInStart = Parameters<typeof startSignIn>[2]

/**
 * Starts a sign-in and returns the address that the browser must open. Connects a store without a connection with the platform's client.
 */
export async function startSheetsSignIn(
  context: Context,
  storeId: string,
  adapter: SpreadsheetAdapter,
  start: SignInStart,
): Promise<string> {
  return startSignIn(context, await findOrCreateConnectionToSignIn(context, storeId, adapter.slug), start)
}
