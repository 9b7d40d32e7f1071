import { type InfiniteData, useInfiniteQuery } from '@tanstack/preact-query'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { queries } from '../../../api/queries.ts'
import { type OrderFilters, toQuery, writeFilters } from './filters/filters.ts'
import { countNew, mapRows, mergePage, type OrderPage, type OrderPages, rowsOf } from './pages.ts'
import { changeRow, type OrderRow, rowOf } from './row.ts'

/** Orders per page of the list. */
const PAGE_SIZE = 100
const LISTS = 'orders'

type Pages = InfiniteData<OrderPage, string | null>

async function readPage(storeId: string, filters: OrderFilters, cursor: string | null, signal?: AbortSignal): Promise<OrderPage> {
  const query = { ...toQuery(filters), storeId, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }
  const { data, nextCursor } = await unwrap(api.GET('/v1/orders', { params: { query }, ...(signal && { signal }) }))
  return { rows: data.map(rowOf), nextCursor }
}

/** Reads the list page by page. Rows never move by themselves: what is new is counted, and shown when the user asks for it. */
export function useOrderList(storeId: string, filters: OrderFilters) {
  const text = writeFilters(filters)
  const key = useMemo(() => [LISTS, storeId, text], [storeId, text])
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage(storeId, filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: OrderPage) => nextCursor,
    // To read it anew would read every page again; see `refresh`.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
  const [newCount, setNewCount] = useState(0)
  useEffect(() => setNewCount(0), [key])
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  /** Reads the first page and the one of a row anew, in place. Rows that are new are only counted. */
  const refresh = useCallback(
    async (row: number) => {
      const isStable = !filters.sort?.endsWith('updatedAt')
      for (const at of new Set([0, Math.max(0, Math.floor(row / PAGE_SIZE))])) {
        const cursor = queries.getQueryData<Pages>(key)?.pageParams[at]
        if (cursor === undefined) continue
        const { rows: fresh } = await readPage(storeId, filters, cursor)
        const known = queries.getQueryData<Pages>(key)
        if (!known) return
        if (at === 0) setNewCount(countNew(known, fresh))
        queries.setQueryData<Pages>(key, toInfinite(mergePage(known, at, fresh, { isStable })))
      }
    },
    [key, storeId, filters],
  )
  const showNew = useCallback(async () => {
    const first = await readPage(storeId, filters, null)
    queries.setQueryData<Pages>(key, { pages: [first], pageParams: [null] })
    setNewCount(0)
  }, [key, storeId, filters])
  const loadMore = useCallback(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }, [list.hasNextPage, list.isFetchingNextPage, list.fetchNextPage])
  return {
    rows,
    newCount,
    refresh,
    showNew,
    loadMore,
    hasMore: list.hasNextPage,
    isPending: list.isPending,
    error: list.error,
    retry: list.refetch,
  }
}

const toInfinite = ({ pages, pageParams }: OrderPages): Pages => ({ pages: [...pages], pageParams: [...pageParams] })

/** Changes rows in every list of the store that was read. */
export function changeRows(storeId: string, change: (row: OrderRow) => OrderRow): void {
  queries.setQueriesData<Pages>({ queryKey: [LISTS, storeId] }, (pages) => pages && toInfinite(mapRows(pages, change)))
}

/** Shows an answer about an order in its rows. `assignee` is the name of a newly assigned agent. */
export function showOrder(order: Schemas['Order'], assignee?: string | null): void {
  changeRows(order.storeId, (row) => (row.id === order.id ? changeRow(row, order, assignee) : row))
}

/** Returns the row of an order from any list that was read. */
export function findRow(storeId: string, orderId: string): OrderRow | undefined {
  for (const [, pages] of queries.getQueriesData<Pages>({ queryKey: [LISTS, storeId] })) {
    const row = pages?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === orderId)
    if (row) return row
  }
  return undefined
}
