import type { TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../../plugins/adapter.ts'
import type { SpreadsheetAdapter } from '../../../plugins/spreadsheet/kind.ts'
import { members } from '../../../plugins/spreadsheet/members.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'

const CALL_MS = 20_000

type Member = keyof typeof members

/** Asks the spreadsheet of a connection, and holds its answer against the contract. */
export const ask = <V>(
  context: Context,
  connection: SpreadsheetConnection,
  operation: Member,
  work: (adapter: SpreadsheetAdapter, own: AdapterContext) => V | Promise<V>,
  how: { readonly signal?: AbortSignal; readonly inBackground?: boolean } = {},
): Promise<V> => {
  const schema: TSchema = members[operation].answers
  return callAdapter(context, connection, work, {
    operation,
    deadlineMs: CALL_MS,
    schema,
    ...(how.signal && { signal: how.signal }),
    ...(how.inBackground && { quota: 'read' as const }),
  })
}
