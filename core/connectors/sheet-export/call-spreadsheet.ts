import type { TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../../plugins/adapter.ts'
import type { SpreadsheetAdapter } from '../../../plugins/spreadsheet/kind.ts'
import { members } from '../../../plugins/spreadsheet/members.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'

const CALL_MS = 20_000

type Member = keyof typeof members

/** Calls the spreadsheet adapter of a connection and checks its answer against the contract. Throws `AdapterFailure`. */
export const callSpreadsheet = <V>(
  context: Context,
  connection: SpreadsheetConnection,
  operation: Member,
  work: (adapter: SpreadsheetAdapter, own: AdapterContext) => V | Promise<V>,
  options: { readonly signal?: AbortSignal; readonly inBackground?: boolean } = {},
): Promise<V> => {
  const schema: TSchema = members[operation].output
  return callAdapter(context, connection, work, {
    operation,
    deadlineMs: CALL_MS,
    schema,
    ...(options.signal && { signal: options.signal }),
    ...(options.inBackground && { quota: 'read' as const }),
  })
}
