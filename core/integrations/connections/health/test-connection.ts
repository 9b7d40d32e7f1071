import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../egress/failure.ts'
import { callAdapter } from '../calls/call.ts'
import { chooseConnection } from '../choose.ts'
import { openAnyConnection } from '../connection.ts'
import { type ConnectionRow, type OwnerId, updateConnection } from '../connections.queries.ts'
import { clearAttention } from './attention.queries.ts'
import { TEST } from './attention.ts'

const TEST_MS = 8_000

/** Result of a connection test. */
export interface Tested {
  readonly ok: boolean
  readonly account?: string
  readonly message?: string
}

/** Tests the credentials of an adapter's connection and stores the result. Throws as {@link testConnectionRow} does. */
export const testConnection = async (context: Context, storeId: OwnerId, key: string): Promise<Tested> =>
  testRow(context, await chooseConnection(context, storeId, key))

/**
 * Tests one connection and stores the result. Throws `rate_limited` if the provider accepts no more calls now, which says nothing about the
 * credentials.
 */
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
