import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'

/** Carrier or gateway with the money that it holds. */
export type Holder = Schemas['CashHolder']
/** Payout of a carrier, as lists show it. */
export type CarrierPayout = Schemas['CarrierPayout']
/** State by which payouts are listed. */
export type PayoutState = CarrierPayout['state'] | 'all'

/** Days after which unpaid money is late. */
export const LATE_DAYS = 14
const PAGE = 50
const KEY = 'cash'

/** Reads what each carrier and gateway owes. */
export function useHolders() {
  const { storeId } = useStore()
  return useQuery({
    queryKey: [KEY, storeId, 'holders'],
    queryFn: async () => {
      const params = { path: { storeId }, query: { agedDays: LATE_DAYS } }
      return (await unwrap(api.GET('/v1/stores/{storeId}/cash', { params }))).data
    },
  })
}

/** Reads the payouts of all carriers in one state, newest first. */
export function useCarrierPayouts(state: PayoutState) {
  const { storeId } = useStore()
  return useInfiniteQuery({
    queryKey: [KEY, storeId, 'payouts', state],
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(state !== 'all' && { state }), ...(pageParam !== null && { cursor: pageParam }) }
      return unwrap(api.GET('/v1/stores/{storeId}/cash/payouts', { params: { path: { storeId }, query } }))
    },
  })
}

/** Reads the transfers of gateways, newest first; with `isWaiting` those alone whose lines wait for a person. */
export function useGatewayPayouts(isWaiting: boolean) {
  const { storeId } = useStore()
  return useInfiniteQuery({
    queryKey: [KEY, storeId, 'gateway-payouts', isWaiting],
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(isWaiting && { waiting: true }), ...(pageParam !== null && { cursor: pageParam }) }
      return unwrap(api.GET('/v1/stores/{storeId}/payouts', { params: { path: { storeId }, query } }))
    },
  })
}

/** Returns the key of a query below those of the store's cash. */
export const cashKey = (storeId: string, ...rest: readonly unknown[]) => [KEY, storeId, ...rest]

/** Marks all that shows cash as out of date. */
export const refreshCash = (storeId: string) => queries.invalidateQueries({ queryKey: [KEY, storeId] })
