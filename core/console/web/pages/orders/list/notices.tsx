import { Link } from 'wouter-preact'
import { t } from '../../../words/words.ts'

interface EmptyListProps {
  readonly isFiltered: boolean
  /** Address of the list without filters. */
  readonly all: string
}

/** Shows what the list is for while it has no order, or the way out of filters that nothing matches. */
export const EmptyList = ({ isFiltered, all }: EmptyListProps) => (
  <div class="empty">
    <h2>{t(isFiltered ? 'orders.nothingMatches' : 'orders.empty')}</h2>
    <p>{t(isFiltered ? 'orders.nothingMatchesText' : 'orders.emptyText')}</p>
    {isFiltered && (
      <Link href={all} class="button">
        {t('orders.clearFilters')}
      </Link>
    )}
  </div>
)

const widths = [55, 70, 45, 60, 50, 65, 40, 58]

/** Rows that are being read, at the height of real ones. */
export const SkeletonRows = () => (
  <div aria-hidden="true">
    {widths.map((width) => (
      <div class="skeleton-row" key={width}>
        <span class="skeleton" style={{ inlineSize: `${width}%` }} />
      </div>
    ))}
  </div>
)
