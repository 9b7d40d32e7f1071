import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../../../api/client.ts'
import { unwrap } from '../../../../api/errors.ts'
import { queries } from '../../../../api/queries.ts'
import { useStore } from '../../../../session/store.tsx'
import type { OrderStatus } from '../../../../ui/values.tsx'
import { formatNumber, t } from '../../../../words/words.ts'
import { changeFilters, type OrderFilters, orderStatuses } from './filters.ts'
import { SavedTabs, useCurrentSaved } from './saved-filters.tsx'

/** Statuses whose tab stands even when it has no order. */
const always: readonly OrderStatus[] = ['pending', 'unreachable', 'confirmed', 'sent', 'out_for_delivery', 'delivered', 'returning']
const KEY = 'status-counts'

/** Reads the number of orders by status again. */
export const refreshCounts = (storeId: string) => void queries.invalidateQueries({ queryKey: [KEY, storeId] })

/** Reads the number of orders by status. */
function useStatusCounts(storeId: string) {
  const read = async () => (await unwrap(api.GET('/v1/stores/{storeId}/orders/status-counts', { params: { path: { storeId } } }))).data
  return useQuery({ queryKey: [KEY, storeId], queryFn: read }).data
}

/** Number of all orders that match, where the numbers by status tell it: undefined with any filter besides the status. */
export function useMatching(storeId: string, { status, sort: _, ...others }: OrderFilters): number | undefined {
  const counts = useStatusCounts(storeId)
  if (!counts || Object.keys(others).length > 0) return undefined
  if (status === undefined) return counts.total
  return orderStatuses.filter((each) => status.split(',').includes(each)).reduce((sum, each) => sum + (counts.byStatus[each] ?? 0), 0)
}

interface StatusTabsProps {
  readonly filters: OrderFilters
  readonly hrefOf: (filters: OrderFilters) => string
}

/** Tabs of the statuses, each with the number of its orders in the store. */
export function StatusTabs({ filters, hrefOf }: StatusTabsProps) {
  const counts = useStatusCounts(useStore().storeId)
  const tabs = useRef<HTMLElement>(null)
  const saved = useCurrentSaved(filters)
  const current = saved ? null : filters.status
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current, saved?.id, counts === undefined])
  const countOf = (status: OrderStatus) => counts?.byStatus[status]
  const shown = orderStatuses.filter((status) => always.includes(status) || countOf(status) || filters.status === status)
  return (
    <nav class="tabs" ref={tabs} aria-label={t('orders.tabs')}>
      <StatusTab
        label={t('orders.all')}
        count={counts?.total}
        isCurrent={current === undefined}
        href={hrefOf(changeFilters(filters, { status: undefined }))}
      />
      {shown.map((status) => (
        <StatusTab
          key={status}
          label={t(`status.${status}`)}
          count={countOf(status)}
          isCurrent={current === status}
          href={hrefOf(changeFilters(filters, { status }))}
        />
      ))}
      <SavedTabs filters={filters} hrefOf={hrefOf} />
    </nav>
  )
}

interface StatusTabProps {
  readonly label: string
  readonly count: number | undefined
  readonly isCurrent: boolean
  readonly href: string
}

const StatusTab = ({ label, count, isCurrent, href }: StatusTabProps) => (
  <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
    {label}
    {count !== undefined && <span class="count">{formatNumber(count)}</span>}
  </Link>
)
