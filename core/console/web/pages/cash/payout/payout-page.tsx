import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useHolderNames } from '../../../api/carriers.ts'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Day, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { useHolders } from '../cash-data.ts'
import { cashPath } from '../paths.ts'
import { PayoutStateTag } from '../payout-state.tsx'
import { PayoutLines } from './lines.tsx'
import { MissingParcels } from './missing.tsx'
import { type Outcome, type PayoutDetail, type PayoutName, usePayout } from './payout-data.ts'
import { PayoutSteps } from './steps.tsx'
import { PayoutTotals } from './totals.tsx'

/** Shows a payout of a carrier beside what it owed, line by line, and confirms or reverses it. */
export function PayoutPage({ carrier, id }: PayoutName) {
  const { storeId, currencyCode } = useStore()
  const [chosen, setChosen] = useState<Outcome | 'all'>()
  const outcome = chosen ?? 'all'
  const list = usePayout({ carrier, id }, outcome)
  const name = useHolderNames()(carrier)
  const { data: holders } = useHolders()
  const currency = holders?.find(({ key }) => key === carrier)?.currency ?? currencyCode
  const payout = list.data?.pages[0]
  return (
    <main class="page cash" aria-busy={list.isPending}>
      <Link class="back-link" href={cashPath(storeId)}>
        <Icon name="back" size={16} />
        {t('cash.back')}
      </Link>
      <div class="page-head">
        <h1>{t('cash.payoutOf', { carrier: name })}</h1>
        {payout && <PayoutSteps name={{ carrier, id }} payout={payout} currency={currency} />}
      </div>
      {list.error && <Failure error={list.error} />}
      {list.isPending && <span class="skeleton" />}
      {payout && (
        <>
          <PayoutHead payout={payout} />
          <PayoutTotals totals={payout.totals} currency={currency} />
          <PayoutLines
            counts={payout.totals.lines}
            lines={list.data?.pages.flatMap(({ lines }) => lines) ?? []}
            outcome={outcome}
            currency={currency}
            onChoose={setChosen}
          />
          {list.hasNextPage && (
            <button type="button" class="button more-rows" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('cash.more')}
            </button>
          )}
          <MissingParcels payout={payout} currency={currency} />
        </>
      )}
    </main>
  )
}

/** State, day and origin of a payout. */
const PayoutHead = ({ payout: { state, at, source, fileName, confirmedAt, reversedAt } }: { readonly payout: PayoutDetail }) => (
  <p class="row wrap payout-head">
    <PayoutStateTag state={state} />
    {at !== undefined && <Day at={at} />}
    <span class="muted">{fileName === null ? t(`cash.source.${source}`) : <Name inline>{fileName}</Name>}</span>
    {state === 'confirmed' && confirmedAt !== null && (
      <span class="muted">
        {t('cash.confirmedAt')} <Day at={confirmedAt} />
      </span>
    )}
    {state === 'reversed' && reversedAt !== null && (
      <span class="muted">
        {t('cash.reversedAt')} <Day at={reversedAt} />
      </span>
    )}
  </p>
)
