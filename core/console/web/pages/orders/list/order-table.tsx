import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isPhone } from '../../../ui/phone.ts'
import { useWindowRows } from '../../../ui/window-rows.ts'
import { t } from '../../../words/words.ts'
import type { OrderFilters } from './filters/filters.ts'
import { OrderCard, OrderTableRow } from './order-row.tsx'
import type { OrderRow } from './row.ts'
import type { Selection } from './selection.ts'
import { SortHead } from './sort-head.tsx'

/** Rows before the end of what is loaded at which more is asked for. */
const AHEAD = 40
/** Heights in pixels that stick to the window: the head of the table, and the bar of chosen rows or of the phone. */
const STICKY = { top: 48, bottom: 88 }

interface OrderTableProps {
  readonly rows: readonly OrderRow[]
  readonly filters: OrderFilters
  readonly hasMore: boolean
  readonly canSelect: boolean
  readonly selection: Selection
  /** Row that the keys work on; null before the first key. */
  readonly cursor: number | null
  /** False while something lies over the table. The row of the keys gets the focus back after that. */
  readonly isActive: boolean
  /** First row that is drawn, which a look for changes reads anew. */
  readonly shown: RefObject<number>
  readonly hrefOf: (id: string) => string
  readonly onCursor: (at: number) => void
  readonly onOpen: (at: number) => void
  readonly onToggle: (at: number) => void
  /** Chooses the rows from the last chosen one to this one. */
  readonly onRange: (at: number) => void
  readonly onToggleAll: () => void
  readonly onSort: (sort: string) => void
  readonly onMore: () => void
}

/** Table of orders, or a list of two-line rows on a phone. Draws only the rows near the window, however many are loaded. */
export function OrderTable(props: OrderTableProps) {
  const { rows, cursor, selection, canSelect, shown, hrefOf } = props
  const body = useRef<HTMLElement>(null)
  const { from, to, height, reveal } = useWindowRows(body, rows.length)
  shown.current = from
  const isNearEnd = to + AHEAD >= rows.length && props.hasMore
  useEffect(() => {
    if (isNearEnd) props.onMore()
  }, [isNearEnd, rows.length, props.onMore])
  useCursorFocus(body, props.isActive ? cursor : null, `${from} ${to}`, reveal)
  const Row = isPhone.value ? OrderCard : OrderTableRow
  const drawn = rows
    .slice(from, to)
    .map((row, place) => (
      <Row
        key={row.id}
        row={row}
        at={from + place}
        href={hrefOf(row.id)}
        isSelected={selection.isAll || selection.ids.has(row.id)}
        isCursor={cursor === from + place}
        canSelect={canSelect}
      />
    ))
  const rest = Math.max(0, rows.length - to) * height
  const handlers = {
    onClick: (event: MouseEvent) => handleClick(event, props),
    onFocusIn: (event: FocusEvent) => handleFocus(event, props),
  }
  if (isPhone.value)
    return (
      <ul ref={body as RefObject<HTMLUListElement>} style={{ paddingBlock: `${from * height}px ${rest}px` }} {...handlers}>
        {drawn}
      </ul>
    )
  return (
    <table class="table orders-table" aria-rowcount={props.hasMore ? -1 : rows.length + 1}>
      <OrderTableHead {...props} />
      <tbody ref={body as RefObject<HTMLTableSectionElement>} {...handlers}>
        <tr style={{ blockSize: `${from * height}px` }} />
        {drawn}
        <tr style={{ blockSize: `${rest}px` }} />
      </tbody>
    </table>
  )
}

/** Brings the row of the keys into view and gives its link the focus, once it is drawn. */
function useCursorFocus(
  body: RefObject<HTMLElement | null>,
  cursor: number | null,
  part: string,
  reveal: ReturnType<typeof useWindowRows>['reveal'],
): void {
  const waiting = useRef<number | null>(null)
  useLayoutEffect(() => {
    waiting.current = cursor
    if (cursor !== null) reveal(cursor, STICKY)
  }, [cursor, reveal])
  useLayoutEffect(() => {
    const link = waiting.current === null ? null : body.current?.querySelector<HTMLElement>(`[data-row="${waiting.current}"] a`)
    if (!link) return
    waiting.current = null
    link.focus({ preventScroll: true })
  }, [body, cursor, part])
}

function OrderTableHead({ rows, filters, selection, canSelect, onToggleAll, onSort }: OrderTableProps) {
  const isAll = selection.isAll || (rows.length > 0 && selection.ids.size === rows.length)
  return (
    <thead>
      <tr aria-rowindex={1}>
        {canSelect && (
          <th class="col-choice">
            <input
              class="row-choice"
              type="checkbox"
              checked={isAll}
              indeterminate={!isAll && selection.ids.size > 0}
              aria-label={t('orders.chooseLoaded')}
              onChange={onToggleAll}
            />
          </th>
        )}
        <th class="col-reference">{t('orders.reference')}</th>
        <th>{t('orders.customer')}</th>
        <th>{t('orders.destination')}</th>
        <th>{t('orders.goods')}</th>
        <SortHead class="col-total end" field="total" sort={filters.sort} onSort={onSort}>
          {t('orders.total')}
        </SortHead>
        <th class="col-parcel">{t('orders.parcel')}</th>
        <th class="col-status">{t('orders.status')}</th>
        <th class="col-assignee">{t('orders.assignee')}</th>
        <SortHead class="col-date" field="createdAt" sort={filters.sort} onSort={onSort}>
          {t('orders.date')}
        </SortHead>
      </tr>
    </thead>
  )
}

/** Returns the place of the row that an event happened in. */
function rowOfEvent(event: Event): number | null {
  const at = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
  return at === undefined ? null : Number(at)
}

function handleClick(event: MouseEvent, { onOpen, onToggle, onRange }: OrderTableProps): void {
  const at = rowOfEvent(event)
  if (at === null || !(event.target instanceof Element)) return
  if (event.target.closest('.col-choice, input[type=checkbox]')) {
    if (event.shiftKey) onRange(at)
    else onToggle(at)
    return
  }
  // The browser opens another tab by itself.
  if (event.ctrlKey || event.metaKey || event.button !== 0) return
  event.preventDefault()
  onOpen(at)
}

function handleFocus(event: FocusEvent, { onCursor }: OrderTableProps): void {
  const at = rowOfEvent(event)
  if (at !== null) onCursor(at)
}
