import type { Context } from '../../../context.ts'
import type { Connection } from '../connection.ts'
import { clientOf } from './client.ts'
import { findTokens } from './oauth.queries.ts'

/** Returns true if a connection uses the platform's client. The secret of that client vouches for any account that uses it. */
export const isLent = async (context: Context, connection: Connection): Promise<boolean> =>
  (await clientOf(context, connection))?.isLent ?? false

/** Returns true if the account of a connection is verified: by a valid sign-in, or by entered credentials if the client is its own. */
export async function isProven(context: Context, connection: Connection): Promise<boolean> {
  const tokens = await findTokens(context.sql, connection.row.id)
  return (tokens !== undefined && tokens.refused === null) || !(await isLent(context, connection))
}
