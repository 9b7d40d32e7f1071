import { Link, useLocation, useSearch } from 'wouter-preact'
import { useHolderNames } from '../../api/carriers.ts'
import { useStore } from '../../session/store.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Day, Money, Name } from '../../ui/values.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type CarrierPayout, type Holder, type PayoutState, useCarrierPayouts } from './cash-data.ts'
import { payoutPath } from './paths.ts'
import { PayoutStateTag } from './payout-state.tsx'

const states: readonly PayoutState[] = ['draft', 'confirmed', 'reversed', 'all']

/** Payouts of all carriers, by state. The state is part of the address. */
export function PayoutList({ holders }: { readonly holders: readonly Holder[] }) {
  const { storeId } = useStore()
  const asked = new URLSearchParams(useSearch()).get('state')
  const state = states.find((each) => each === asked) ?? 'draft'
  const list = useCarrierPayouts(state)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const holderOf = new Map(holders.map((holder) => [holder.connectionId, holder]))
  const waiting = holders.reduce((sum, { kind, waitingPayouts }) => sum + (kind === 'carrier' ? waitingPayouts : 0), 0)
  return (
    <section class="cash-section" aria-busy={list.isPending}>
      <h2>{t('cash.payouts')}</h2>
      <nav class="tabs" aria-label={t('cash.payouts')}>
        {states.map((each) => (
          <Link key={each} href={`/${storeId}/cash?state=${each}`} aria-current={each === state ? 'page' : undefined}>
            {t(`cash.state.${each}`)}
            {each === 'draft' && waiting > 0 && <span class="count">{formatNumber(waiting)}</span>}
          </Link>
        ))}
      </nav>
      {list.error && <Failure error={list.error} />}
      {list.isPending && <span class="skeleton" />}
      {list.isSuccess && rows.length === 0 && <p class="empty">{t('cash.noPayouts')}</p>}
      {rows.length > 0 && <PayoutTable rows={rows} holderOf={holderOf} />}
      {list.hasNextPage && (
        <button type="button" class="button more-rows" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('cash.more')}
        </button>
      )}
    </section>
  )
}

interface PayoutTableProps {
  readonly rows: readonly CarrierPayout[]
  /** Carriers by their connection. The payouts of one that was removed can no longer be opened. */
  readonly holderOf: ReadonlyMap<string, Holder>
}

function PayoutTable({ rows, holderOf }: PayoutTableProps) {
  const { storeId, can } = useStore()
  const [, go] = useLocation()
  const nameOf = useHolderNames()
  return (
    <table class="table payouts">
      <thead>
        <tr>
          <th scope="col">{t('cash.from')}</th>
          <th scope="col">{t('cash.date')}</th>
          <th scope="col" class="end">
            {t('cash.parcels')}
          </th>
          <th scope="col" class="end">
            {t('cash.amount')}
          </th>
          <th scope="col">{t('cash.outcome')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const href = payoutPath(storeId, row)
          const holder = holderOf.get(row.connectionId)
          const isReadable = can('carrier.cashBatch') && holder?.removed === false
          return (
            <tr
              key={`${row.connectionId} ${row.id}`}
              onClick={({ target }) => isReadable && !(target instanceof Element && target.closest('a')) && go(href)}
            >
              <th scope="row">
                <div class="named">
                  {isReadable ? (
                    <Link href={href} class="row-link">
                      <Name>{nameOf(row.carrier)}</Name>
                    </Link>
                  ) : (
                    <Name>{nameOf(row.carrier)}</Name>
                  )}
                  <span class="muted small">{row.fileName === null ? t(`cash.source.${row.source}`) : <Name>{row.fileName}</Name>}</span>
                </div>
              </th>
              <td>{row.at !== undefined && <Day at={row.at} />}</td>
              <td class="end" data-name={t('cash.parcels')}>
                {formatNumber(row.parcels)}
              </td>
              <td class="end">
                <Money amount={row.amount} currency={holder?.currency} />
              </td>
              <td>
                <PayoutStateTag state={row.state} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
