import { canServeOperation } from '../../../../plugins/kind.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { openAnyConnection } from '../connection.ts'
import { type ConnectionRow, findConnectionById, updateConnection } from '../connections.queries.ts'
import { requestPlacesSync } from '../places/sync-places.ts'
import { type ConnectionTestResult, testConnectionRow } from './test-connection.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.test': { readonly connectionId: string }
  }
}

const LATER_SECONDS = 60

/** Tests a connection now. If the rate limit is reached, returns null and enqueues the test; the connection stays `untested` until then. */
export const testNowOrLater = (context: Context, row: ConnectionRow): Promise<ConnectionTestResult | null> =>
  testConnectionRow(context, row).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure) || error.reason !== 'rate_limited') throw error
    await enqueueTest(context, row, error.upstream.retryAfterSeconds ?? LATER_SECONDS)
    return null
  })

async function enqueueTest({ sql, plugins }: Context, row: ConnectionRow, seconds: number): Promise<void> {
  const { id, key } = row
  const label = plugins.named(key)?.adapter.label ?? key
  const runAt = new Date(Date.now() + seconds * 1000)
  const statusMessage = `${label} accepts no more calls for now. The credentials will be tested at ${runAt.toISOString()}.`
  await updateConnection(sql, row, { status: 'untested', statusMessage })
  await enqueue(sql, 'connections.test', { connectionId: id }, { key: `test:${id}`, runAt, maxAttempts: 10 })
}

/** Runs the job that tests a connection. Does nothing if it is disabled or was tested since its last change. */
export async function testUntestedConnection(context: Context, connectionId: string): Promise<void> {
  const row = await findConnectionById(context.sql, connectionId)
  if (!row?.enabled || row.status !== 'untested') return
  const tested = await testNowOrLater(context, row)
  const { adapter } = openAnyConnection(context, row).mounted
  if (tested?.ok && row.owner === 'store' && canServeOperation(adapter, { needs: ['states', 'cities'] }))
    await requestPlacesSync(context.sql, row.id)
}
