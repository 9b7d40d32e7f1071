import { useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'

type WaitingOrder = Schemas['ListedOrder']

/** Order that waits to be sent, with the plan of the dispatcher for it. */
export interface PlannedOrder {
  readonly id: string
  readonly reference: string
  readonly customer: string
  readonly toCollect: number
  /** Slug of the carrier; null where none can take the order. */
  readonly carrier: string | null
  /** Code of the reason for which none can take it; null otherwise. */
  readonly error: string | null
  /** Reason for this carrier, or for none, as the server says it. */
  readonly reason: string
}

/** Plan for the orders that wait. */
export interface SendPlan {
  readonly orders: readonly PlannedOrder[]
  /** True if more orders wait than one plan holds. */
  readonly isMore: boolean
}

/** Orders of one plan, which is also what one request can send. */
const PLAN_MAX = 500
const PAGE = 100
const KEY = 'send-plan'

/** Reads the confirmed orders without a parcel, the oldest first, and asks the dispatcher for a plan. Nothing is sent. */
export function useSendPlan() {
  const { storeId } = useStore()
  return useQuery({
    queryKey: [KEY, storeId],
    queryFn: async ({ signal }): Promise<SendPlan> => {
      const { orders, isMore } = await readWaiting(storeId, signal)
      const planned: PlannedOrder[] = []
      for (let at = 0; at < orders.length; at += PAGE) planned.push(...(await planOf(storeId, orders.slice(at, at + PAGE), signal)))
      return { orders: planned, isMore }
    },
  })
}

async function readWaiting(storeId: string, signal: AbortSignal) {
  const orders: WaitingOrder[] = []
  let cursor: string | null = null
  do {
    const query = {
      storeId,
      status: 'confirmed',
      parcelStatus: 'none',
      sort: 'createdAt' as const,
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    }
    const page: { data: WaitingOrder[]; nextCursor: string | null } = await unwrap(api.GET('/v1/orders', { params: { query }, signal }))
    orders.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null && orders.length < PLAN_MAX)
  return { orders, isMore: cursor !== null }
}

async function planOf(storeId: string, orders: readonly WaitingOrder[], signal: AbortSignal): Promise<PlannedOrder[]> {
  const body = { orderIds: orders.map(({ id }) => id), dryRun: true }
  const path = '/v1/stores/{storeId}/integrations/dispatcher/dispatch'
  const { data } = await unwrap(api.POST(path, { params: { path: { storeId } }, body, signal }))
  const byId = new Map(data.map((result) => [result.orderId, result]))
  return orders.map(({ id, reference, customer, totals, paid }) => {
    const result = byId.get(id)
    const isPlanned = result?.outcome === 'planned' && result.carrier !== null
    return {
      id,
      reference,
      customer: customer.name,
      toCollect: Math.max(0, totals.total - paid),
      carrier: isPlanned ? result.carrier : null,
      error: result?.outcome === 'refused' ? result.error.code : null,
      reason: result?.reason ?? '',
    }
  })
}

/** Reads the plan anew, unless it is being read. */
export const refreshSendPlan = (storeId: string) => queries.invalidateQueries({ queryKey: [KEY, storeId] }, { cancelRefetch: false })
