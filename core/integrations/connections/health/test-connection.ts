import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../egress/failure.ts'
import { callAdapter } from '../calls/call.ts'
import { chooseConnection } from '../choose.ts'
import { openAnyConnection } from '../connection.ts'
import { type ConnectionRow, type OwnerId, updateConnection } from '../connections.queries.ts'
import { clearAttention } from './attention.queries.ts'
import { TEST } from './attention.ts'

const TEST_MS = 8_000

export interface Tested {
  readonly ok: boolean
  readonly account?: string
  readonly message?: string
}

/** Asks the other side whether the credentials work, and notes the answer. Throws as `testRow` does. */
export const testConnection = async (context: Context, storeId: OwnerId, key: string): Promise<Tested> =>
  testRow(context, await chooseConnection(context, storeId, key))

/** Tests one connection. Throws `rate_limited` where the other side takes no more calls now: that says nothing of the credentials. */
export async function testRow(context: Context, row: ConnectionRow): Promise<Tested> {
  const tested = await callAdapter(context, openAnyConnection(context, row), (adapter, own) => adapter.testConnection?.(own) ?? {}, {
    operation: TEST,
    deadlineMs: TEST_MS,
    quota: 'test',
  })
    .then(({ account }): Tested => ({ ok: true, ...(account && { account }) }))
    .catch((error): Tested => {
      if (error instanceof AdapterFailure && error.reason !== 'rate_limited') return { ok: false, message: error.message }
      throw error
    })
  await updateConnection(context.sql, row.id, { status: tested.ok ? 'connected' : 'failed', statusMessage: tested.message ?? null })
  if (tested.ok) await clearAttention(context.sql, row.id)
  return tested
}
