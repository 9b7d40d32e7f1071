import type { Carrier, CarrierContext } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Queryable } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure, isThrottled } from '../../integrations/egress/adapter-failure.ts'

/** Lists that may need one call per state. Adapters cache each state, so that a repeated call continues the list. */
export type LongList = 'fees' | 'centers' | 'cities'
/** Filter of a long list. */
export interface ListQuery {
  readonly stateCode?: string
  readonly stateId?: string
}

/** Filter of a long list, from a request. */
export function listQueryOf(task: object): ListQuery {
  const { stateCode, stateId } = ('query' in task ? task.query : {}) as ListQuery
  return { ...(stateCode !== undefined && { stateCode }), ...(stateId !== undefined && { stateId }) }
}

/** List that the quota interrupted. */
export interface InterruptedList {
  readonly connectionId: string
  readonly list: LongList
  readonly query: ListQuery
  /** Number of continuations so far. */
  readonly runs?: number
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'carriers.continueList': InterruptedList
  }
}

const DEADLINE_MS = 60_000
/** Limits the quota used by an adapter without a cache. */
const RUNS_MAX = 6
const LATER_SECONDS = 60

/**
 * Enqueues a job that continues the list when the quota allows it, for the next request to find it complete. Does nothing for other errors.
 */
export async function enqueueContinuation(sql: Queryable, cut: InterruptedList, error: unknown): Promise<void> {
  const { connectionId, list, query, runs = 0 } = cut
  if (!(error instanceof AdapterFailure) || !isThrottled(error) || runs >= RUNS_MAX) return
  const runAt = new Date(Date.now() + (error.upstream.retryAfterSeconds ?? LATER_SECONDS) * 1000)
  const key = `read-on:${connectionId}:${list}:${query.stateId ?? query.stateCode ?? ''}`
  await enqueue(sql, 'carriers.continueList', { ...cut, runs: runs + 1 }, { key, runAt, maxAttempts: 2 })
}

/** Continues an interrupted list. Work of the job `carriers.continueList`. */
export async function continueList(context: Context, cut: InterruptedList, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledConnection(context, 'carrier', cut.connectionId)
  if (!connection) return
  const read = (carrier: Carrier, adapter: CarrierContext) => carrier[cut.list]?.(adapter, cut.query)
  await callAdapter(context, connection, read, { operation: cut.list, quota: 'list', deadlineMs: DEADLINE_MS, signal }).catch(
    async (error: unknown) => {
      if (!(error instanceof AdapterFailure)) throw error
      await enqueueContinuation(context.sql, cut, error)
    },
  )
}
