import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'
import { searchableText } from '../../words/numbers.ts'

/** Customer with the outcomes of their orders. */
export type Customer = Schemas['CustomerProfile']
const PAGE = 50
const KEY = 'customers'
/** Most phone numbers of one person whose orders are read. */
const PHONES_MAX = 5
const ORDERS_PER_PHONE = 20

/** Reads the customers that a search finds, newest first; without a text, all of them. */
export function useCustomers(text: string) {
  const q = searchableText(text)
  const { storeId } = useStore()
  return useInfiniteQuery({
    queryKey: [KEY, storeId, 'list', q],
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(q !== '' && { q }), ...(pageParam !== null && { cursor: pageParam }) }
      return unwrap(api.GET('/v1/stores/{storeId}/customers', { params: { path: { storeId }, query } }))
    },
  })
}

/** Reads one customer. */
export function useCustomer(customerId: string) {
  const { storeId } = useStore()
  return useQuery({
    queryKey: [KEY, storeId, 'one', customerId],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/stores/{storeId}/customers/{customerId}', { params: { path: { storeId, customerId } } }))).data,
  })
}

/** Reads the newest orders of a customer, of each of their phone numbers. */
export function useOrdersOf({ id, phones }: Customer) {
  const { storeId } = useStore()
  return useQuery({
    queryKey: [KEY, storeId, 'orders', id, phones],
    queryFn: async () => {
      const lists = await Promise.all(
        phones.slice(0, PHONES_MAX).map(async (phone) => {
          const query = { storeId, phone, limit: ORDERS_PER_PHONE }
          return (await unwrap(api.GET('/v1/orders', { params: { query } }))).data
        }),
      )
      // An order with two numbers of the same person is found by both.
      const byId = new Map(lists.flat().map((order) => [order.id, order]))
      return [...byId.values()].toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, ORDERS_PER_PHONE)
    },
  })
}

/** Marks all that shows customers as out of date. */
export const refreshCustomers = (storeId: string) => queries.invalidateQueries({ queryKey: [KEY, storeId] })
