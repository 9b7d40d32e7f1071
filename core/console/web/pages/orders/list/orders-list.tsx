import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation, useRouter, useSearch } from 'wouter-preact'
import { useStoreChanges } from '../../../api/live.ts'
import { useStore } from '../../../session/store.tsx'
import { searchStore } from '../../../shell/command/command-results.ts'
import { useScanner } from '../../../shell/command/scanned.ts'
import { describeFailure, Failure } from '../../../ui/failure.tsx'
import { isPhone } from '../../../ui/phone.ts'
import { showToast } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { JobCards } from '../bulk/job-cards.tsx'
import { OrderDrawer } from '../order/order-drawer.tsx'
import { FilterLine } from './filters/filter-line.tsx'
import { changeFilters, type OrderFilters, readFilters, writeFilters } from './filters/filters.ts'
import { refreshCounts, StatusTabs, useMatching } from './filters/status-tabs.tsx'
import { ListHead } from './list-head.tsx'
import { useCursor, useListKeys } from './list-keys.ts'
import { EmptyList, SkeletonRows } from './notices.tsx'
import { useOrderList } from './order-list.ts'
import { OrderTable } from './order-table.tsx'
import { useSelection } from './selection.ts'

/** Rows before the end of what is loaded at which a step in the drawer asks for more. */
const AHEAD = 20

/** List of orders with its tabs, filters and chosen rows. The address holds the filters, so that back, forward and links keep them. */
export function OrdersList({ openId }: { readonly openId: string | undefined }) {
  const { storeId, can } = useStore()
  const { filters, query, hrefOf, go, orderPath } = useFilters()
  const list = useOrderList(storeId, filters)
  const { rows } = list
  const choice = useSelection(rows)
  const at = useCursor()
  const { cursor, setCursor } = at
  const [isChoosing, setIsChoosing] = useState(false)
  const shown = useRef(0)
  const { base } = useRouter()
  const isActive = openId === undefined
  const canSelect = can('changeOrders') && (!isPhone.value || isChoosing)
  useEffect(() => {
    choice.clear()
    setCursor(null)
  }, [query])
  const look = useFreshness(storeId, list.refresh, shown)
  const matching = useMatching(storeId, filters)
  useListKeys({ count: rows.length, at, choice, canSelect, isActive })
  const open = (place: number, { replace = false } = {}) => {
    const row = rows[place]
    if (!row) return
    setCursor(place)
    if (place > rows.length - AHEAD) list.loadMore()
    go(orderPath(row.id), { replace, state: { isOverList: true } })
  }
  useScanner(useOpenScanned(), { isActive: can('findInStore') })
  const isAllChosen = choice.selection.isAll || choice.selection.ids.size === rows.length
  return (
    <main class="page orders-page" aria-busy={list.isPending}>
      <ListHead
        filters={filters}
        isActive={isActive}
        isChoosing={isChoosing}
        onChoosing={can('changeOrders') ? setIsChoosing : undefined}
      />
      <StatusTabs filters={filters} hrefOf={hrefOf} />
      <FilterLine
        filters={filters}
        onChange={(next) => go(hrefOf(next))}
        // A search that goes on being typed is one step of the history.
        onSearch={(q) => go(hrefOf(changeFilters(filters, { q })), { replace: filters.q !== undefined })}
        isActive={isActive}
      />
      <JobCards onProgress={look} />
      {list.error && <Failure error={list.error} />}
      {list.newCount > 0 && <NewRows count={list.newCount} onShow={list.showNew} />}
      {list.isPending && <SkeletonRows />}
      {!list.isPending && !list.error && rows.length === 0 && <EmptyList isFiltered={query !== ''} all={hrefOf({})} />}
      {rows.length > 0 && (
        <OrderTable
          rows={rows}
          filters={filters}
          hasMore={list.hasMore}
          canSelect={canSelect}
          selection={choice.selection}
          cursor={cursor}
          isActive={isActive}
          shown={shown}
          hrefOf={(id) => base + orderPath(id)}
          onCursor={setCursor}
          onOpen={(place) => open(place)}
          onToggle={choice.toggle}
          onRange={choice.toggleRange}
          onToggleAll={isAllChosen ? choice.clear : choice.chooseLoaded}
          onSort={(sort) => go(hrefOf(changeFilters(filters, { sort })))}
          onMore={list.loadMore}
        />
      )}
      <BulkBar
        selection={choice.selection}
        filters={filters}
        total={matching}
        canChooseAll={isAllChosen && list.hasMore}
        onChooseAll={choice.chooseAll}
        onClear={choice.clear}
      />
      {openId !== undefined && (
        <OrderDrawer
          orderId={openId}
          onStep={(by) => open(rows.findIndex(({ id }) => id === openId) + by, { replace: true })}
          onClose={() => history.back()}
        />
      )}
    </main>
  )
}

/** Filters of the address, and the addresses that other filters and orders have. */
function useFilters() {
  const { storeId } = useStore()
  const [, go] = useLocation()
  const search = useSearch()
  const filters = useMemo(() => readFilters(search), [search])
  const query = writeFilters(filters)
  const hrefOf = useCallback((next: OrderFilters) => `/${storeId}/orders${toSearch(writeFilters(next))}`, [storeId])
  const orderPath = useCallback((id: string) => `/${storeId}/orders/${id}${toSearch(query)}`, [storeId, query])
  return { filters, query, hrefOf, go, orderPath }
}

/** Opens the order whose reference or tracking number was scanned. */
function useOpenScanned(): (number: string) => void {
  const store = useStore()
  const [, go] = useLocation()
  // The last scan counts, and none after the page was left.
  const latest = useRef(0)
  useEffect(
    () => () => {
      latest.current += 1
    },
    [],
  )
  return useCallback(
    (number: string) => {
      latest.current += 1
      const turn = latest.current
      const open = async () => {
        const { orderId } = await searchStore(store, number)
        if (turn !== latest.current) return
        if (orderId === null) showToast(t('orders.noScanned', { number }))
        else go(`/${store.storeId}/orders/${orderId}`)
      }
      void open().catch((error) => showToast(describeFailure(error)))
    },
    [store, go],
  )
}

const toSearch = (query: string) => query && `?${query}`

/** Topics of changes that the list shows. */
const topics = ['order', 'parcel', 'payment']

/** Looks at what may have changed, at once when a list that was read before is opened again. A look that fails is left to the next one. */
function useFreshness(storeId: string, refresh: (row: number) => Promise<void>, shown: { readonly current: number | null }) {
  const look = useCallback(() => {
    refreshCounts(storeId)
    refresh(shown.current ?? 0).catch(() => {})
  }, [storeId, refresh, shown])
  useStoreChanges(storeId, { topics, onChange: look })
  useEffect(look, [look])
  return look
}

interface NewRowsProps {
  readonly count: number
  readonly onShow: () => Promise<void>
}

/** Button that shows orders which came since the list was read. */
const NewRows = ({ count, onShow }: NewRowsProps) => (
  <button
    type="button"
    class="button new-rows"
    onClick={() => {
      scrollTo({ top: 0 })
      void onShow()
    }}
  >
    {t('orders.new', { count })}
  </button>
)
