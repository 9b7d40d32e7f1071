import { memo } from 'preact/compat'
import { Code, Moment, Money, Name, OrderStatusTag } from '../../../ui/values.tsx'
import { formatPhone } from '../../../words/format.ts'
import { formatNumber, t } from '../../../words/words.ts'
import type { OrderRow as Row } from './row.ts'

interface OrderRowProps {
  readonly row: Row
  readonly at: number
  readonly href: string
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly canSelect: boolean
}

/** Row of the table. It is drawn again only when its own values change; the table handles its clicks. */
export const OrderTableRow = memo(({ row, at, href, isSelected, isCursor, canSelect }: OrderRowProps) => (
  <tr data-row={at} aria-rowindex={at + 2} aria-selected={isSelected} class={`${isCursor ? 'cursor' : ''} ${row.isGone ? 'gone' : ''}`}>
    {canSelect && (
      <td class="col-choice">
        <input
          class="row-choice"
          type="checkbox"
          checked={isSelected}
          aria-label={t('orders.choose', { reference: row.reference })}
          tabIndex={-1}
        />
      </td>
    )}
    <td>
      <a class="ltr row-link" href={href}>
        {row.reference}
      </a>
    </td>
    <td title={formatPhone(row.phone)}>
      <div class="two-words">
        <Name>{row.name}</Name>
        <Notes row={row} />
      </div>
    </td>
    <td>
      <Place row={row} />
    </td>
    <td>
      <Goods row={row} />
    </td>
    <td class="end">
      <Money amount={row.total} />
    </td>
    <td class="col-parcel">
      {row.carrier !== null && (
        <div class="two-words">
          <Name>{row.carrier}</Name>
          {row.trackingId !== null && (
            <span class="muted small clip">
              <Code>{row.trackingId}</Code>
            </span>
          )}
        </div>
      )}
    </td>
    <td>
      <OrderStatusTag status={row.status} />
    </td>
    <td class="col-assignee muted">{row.assignee !== null && <Name>{row.assignee}</Name>}</td>
    <td class="small muted">
      <Moment at={row.createdAt} />
    </td>
  </tr>
))

/** Row of a phone: customer and amount above, goods and status below. */
export const OrderCard = memo(({ row, at, href, isSelected, isCursor, canSelect }: OrderRowProps) => (
  <li data-row={at} class={`order-card ${isCursor ? 'cursor' : ''} ${row.isGone ? 'gone' : ''} ${isSelected ? 'chosen' : ''}`}>
    {canSelect && <input type="checkbox" checked={isSelected} aria-label={t('orders.choose', { reference: row.reference })} />}
    <a class="row-link" href={href}>
      <span class="card-line">
        <Name>{row.name}</Name>
        <Money amount={row.total} />
      </span>
      <span class="card-line">
        <span class="muted clip">
          <Code>{row.reference}</Code>
          {row.city !== '' && ' · '}
          <Name inline>{row.city}</Name>
        </span>
        <OrderStatusTag status={row.status} />
      </span>
      <Notes row={row} />
    </a>
  </li>
))

/** Tags of an order, and how many comments it has. */
const Notes = ({ row: { tags, comments } }: { readonly row: Row }) =>
  tags === '' && comments === 0 ? null : (
    <span class="muted small clip">
      {tags.split(',').map(
        (tag) =>
          tag !== '' && (
            <span class="order-tag" key={tag}>
              <Name inline>{tag}</Name>
            </span>
          ),
      )}
      {comments > 0 && t('orders.comments', { count: comments })}
    </span>
  )

const Place = ({ row: { city, state } }: { readonly row: Row }) => (
  <div class="two-words first-whole">
    <Name>{state}</Name>
    {city !== state && (
      <span class="muted small clip">
        <Name>{city}</Name>
      </span>
    )}
  </div>
)

const Goods = ({ row: { goods, quantity, moreGoods } }: { readonly row: Row }) => (
  <div class="two-words">
    <Name>{goods}</Name>
    {(quantity > 1 || moreGoods > 0) && (
      <span class="muted small">
        {quantity > 1 && <span class="ltr">×{formatNumber(quantity)}</span>}
        {quantity > 1 && moreGoods > 0 && ' '}
        {moreGoods > 0 && <span class="ltr">+{formatNumber(moreGoods)}</span>}
      </span>
    )}
  </div>
)
