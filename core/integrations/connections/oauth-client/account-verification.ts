import type { Context } from '../../../context.ts'
import type { Connection } from '../connection.ts'
import { findTokens } from './oauth.queries.ts'
import { findOAuthClient } from './oauth-client.ts'

/** Returns true if a connection uses the platform's client. The secret of that client vouches for any account that uses it. */
export const usesPlatformClient = async (context: Context, connection: Connection): Promise<boolean> =>
  (await findOAuthClient(context, connection))?.isPlatformClient ?? false

/** Returns true if the account of a connection is verified: by a valid sign-in, or by entered credentials if the client is its own. */
export async function isAccountVerified(context: Context, connection: Connection): Promise<boolean> {
  const tokens = await findTokens(context.sql, connection.row)
  return (tokens !== undefined && tokens.refused === null) || !(await usesPlatformClient(context, connection))
}
