import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { callAdapter } from '../calls/call-adapter.ts'
import { chooseConnection } from '../choose-connection.ts'
import { openAnyConnection } from '../connection.ts'
import { type ConnectionOwnerId, type ConnectionRow, updateConnection } from '../connections.queries.ts'
import { clearAttention } from './attention.queries.ts'
import { TEST_OPERATION } from './attention.ts'

const TEST_MS = 8_000

/** Result of a connection test. */
export interface ConnectionTestResult {
  readonly ok: boolean
  readonly account?: string
  readonly message?: string
}

/** Tests the credentials of an adapter's connection and stores the result. Throws as {@link testConnectionRow} does. */
export const testConnection = async (context: Context, storeId: ConnectionOwnerId, key: string): Promise<ConnectionTestResult> =>
  testConnectionRow(context, await chooseConnection(context, storeId, key))

/**
 * Tests one connection and stores the result. Throws `rate_limited` if the provider accepts no more calls now, which says nothing about the
 * credentials.
 */
export async function testConnectionRow(context: Context, row: ConnectionRow): Promise<ConnectionTestResult> {
  const tested = await callAdapter(context, openAnyConnection(context, row), (adapter, own) => adapter.testConnection?.(own) ?? {}, {
    operation: TEST_OPERATION,
    deadlineMs: TEST_MS,
    quota: 'test',
  })
    .then(({ account }): ConnectionTestResult => ({ ok: true, ...(account && { account }) }))
    .catch((error): ConnectionTestResult => {
      if (error instanceof AdapterFailure && error.reason !== 'rate_limited') return { ok: false, message: error.message }
      throw error
    })
  await updateConnection(context.sql, row, { status: tested.ok ? 'connected' : 'failed', statusMessage: tested.message ?? null })
  if (tested.ok) await clearAttention(context.sql, row)
  return tested
}
