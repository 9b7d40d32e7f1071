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

/** Orders with a carrier in one plan, which is also what one request can send. */
const PLAN_MAX = 500
/** Orders that one plan looks at: those that no carrier can take must not hide the others. */
const ORDERS_MAX = 2_000
const PAGE = 100
const KEY = 'send-plan'

/** Reads the confirmed orders without a parcel, the oldest first, and asks the dispatcher for a plan. Nothing is sent. */
export function useSendPlan() {
  const { storeId } = useStore()
  return useQuery({
    queryKey: [KEY, storeId],
    queryFn: async ({ signal }): Promise<SendPlan> => {
      const orders: PlannedOrder[] = []
      let cursor: string | null = null
      do {
        const page: WaitingPage = await readWaiting(storeId, cursor, signal)
        if (page.data.length > 0) orders.push(...(await planOf(storeId, page.data, signal)))
        cursor = page.nextCursor
      } while (cursor !== null && orders.length < ORDERS_MAX && orders.filter(({ carrier }) => carrier !== null).length < PLAN_MAX)
      return { orders, isMore: cursor !== null }
    },
  })
}

interface WaitingPage {
  readonly data: readonly WaitingOrder[]
  readonly nextCursor: string | null
}

function readWaiting(storeId: string, cursor: string | null, signal: AbortSignal): Promise<WaitingPage> {
  const filter = { storeId, status: 'confirmed', parcelStatus: 'none', sort: 'createdAt' as const, limit: PAGE }
  return unwrap(api.GET('/v1/orders', { params: { query: { ...filter, ...(cursor !== null && { cursor }) } }, signal }))
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
