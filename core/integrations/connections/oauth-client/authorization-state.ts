import type { Context } from '../../../context.ts'
import type { Connection } from '../connection.ts'
import { clientOf } from './client.ts'
import { findTokens } from './oauth.queries.ts'

/** Whether a connection asks with the client of this server, whose secret proves what the other side tells of any account that uses it. */
export const isLent = async (context: Context, connection: Connection): Promise<boolean> =>
  (await clientOf(context, connection))?.isLent ?? false

/** Whether it is known whose account a connection is of. What was typed in proves nothing where the client is lent: a sign-in that stands does. */
export async function isProven(context: Context, connection: Connection): Promise<boolean> {
  const tokens = await findTokens(context.sql, connection.row.id)
  return (tokens !== undefined && tokens.refused === null) || !(await isLent(context, connection))
}
