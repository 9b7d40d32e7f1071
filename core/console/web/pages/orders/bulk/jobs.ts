import type { operations } from 'serai:api'
import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { queries } from '../../../api/queries.ts'
import { randomKey } from '../../../api/random-key.ts'
import { useStore } from '../../../session/store.tsx'
import { type OrderFilters, toBody } from '../list/filters/filters.ts'
import type { Selection } from '../list/selection.ts'

/** Job on many orders, with its progress. */
export type Job = Schemas['OrderJob']
/** Action of a job. */
export type Action = Job['action']
type Request = operations['startOrderJob']['requestBody']['content']['application/json']

/** Ids of one request. A longer selection becomes several jobs. */
const IDS_MAX = 500
const SHOWN = 5
const POLL_MS = 1_000
/** Milliseconds for which a job is shown after it has ended: with failures or labels to look at, and with nothing more to do. */
const SHOWN_MS = { more: 60 * 60_000, nothing: 60_000 }

const keyOf = (storeId: string) => ['order-jobs', storeId]

/** Prints labels on sheets of one label each, the carrier's own where it has one. */
export const printing: Action = { type: 'print', paper: 'a6', own: false }

/** Returns true if a job still works on its orders. */
export const isUnderWay = ({ status }: Job): boolean => status === 'waiting' || status === 'processing'

/** Number of orders that a job has a result for. */
export const progressOf = ({ total, waiting }: Job): number => total - waiting

const startJob = (body: Request, key: string) => unwrap(api.POST('/v1/orders/bulk', { body, headers: { 'idempotency-key': key } }))

/** Starts an action on the chosen orders, or on all that match the filters. */
export function useStartJob(filters: OrderFilters, onStarted: () => void) {
  const { storeId } = useStore()
  // A function of an earlier render would select by earlier filters.
  const shown = useRef(filters)
  shown.current = filters
  /** Keys of requests by their body: when one of several fails, a second try starts those before it no second time. */
  const keys = useRef(new Map<string, string>())
  const keyFor = (body: string) => {
    const key = keys.current.get(body) ?? randomKey()
    keys.current.set(body, key)
    return key
  }
  return useMutation({
    mutationFn: async ({ action, selection }: { readonly action: Action; readonly selection: Selection }) => {
      for (const request of requestsOf(selection, shown.current)) {
        const body = { storeId, action, ...request } as Request
        await startJob(body, keyFor(JSON.stringify(body)))
      }
    },
    onSuccess: () => {
      keys.current.clear()
      onStarted()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(storeId) }),
  })
}

function requestsOf({ ids, isAll }: Selection, filters: OrderFilters) {
  if (isAll) return [{ filter: toBody(filters) }]
  const all = [...ids]
  return Array.from({ length: Math.ceil(all.length / IDS_MAX) }, (_each, at) => ({ ids: all.slice(at * IDS_MAX, (at + 1) * IDS_MAX) }))
}

/** Reads the user's last jobs, and reads them again while one is under way. Calls back when one has come further. */
export function useJobs(onProgress: () => void): readonly Job[] {
  const { storeId, can } = useStore()
  const read = async () => (await unwrap(api.GET('/v1/orders/bulk', { params: { query: { storeId, limit: SHOWN } } }))).data
  const { data = [] } = useQuery({
    queryKey: keyOf(storeId),
    queryFn: read,
    enabled: can('startOrderJob'),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
  })
  const state = data.map(({ id, waiting, status }) => `${id} ${waiting} ${status}`).join()
  const before = useRef('')
  useEffect(() => {
    if (before.current !== '' && state !== before.current) onProgress()
    before.current = state
  }, [state, onProgress])
  return data.filter(isWorthShowing)
}

function isWorthShowing(job: Job): boolean {
  const lifeMs = job.failed > 0 || job.hasDocument ? SHOWN_MS.more : SHOWN_MS.nothing
  return isUnderWay(job) || Date.now() - Date.parse(job.completedAt ?? job.createdAt) < lifeMs
}

/** Cancels a job: orders that it has not reached stay as they are. */
export async function cancelJob(storeId: string, id: string): Promise<void> {
  await unwrap(api.POST('/v1/orders/bulk/{id}/cancel', { params: { path: { id } } }))
  await queries.invalidateQueries({ queryKey: keyOf(storeId) })
}

/** Reads the orders of a job that were left as they are, each with its error. */
export function useFailedRows(id: string) {
  const read = async () => {
    const params = { path: { id }, query: { status: 'failed' as const, limit: 50 } }
    return (await unwrap(api.GET('/v1/orders/bulk/{id}/rows', { params }))).data
  }
  return useQuery({ queryKey: ['order-job-rows', id], queryFn: read }).data
}
