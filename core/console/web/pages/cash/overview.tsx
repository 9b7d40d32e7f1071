import { useStoreChanges } from '../../api/live.ts'
import { useStore } from '../../session/store.tsx'
import { Failure } from '../../ui/failure.tsx'
import { t } from '../../words/words.ts'
import { refreshCash, useHolders } from './cash-data.ts'
import { GatewayPayouts } from './gateways/gateway-payouts.tsx'
import { HolderTable } from './holder-table.tsx'
import { MonthMenu } from './month-menu.tsx'
import { PayoutList } from './payout-list.tsx'
import { ReadCarriersButton } from './read-carriers.tsx'

/** Topics of the changes that move cash between holders and the store. */
const topics = ['cash']

/** Shows what everybody owes and since when, and the payouts that came. */
export function CashOverview() {
  const { storeId, can } = useStore()
  const { data: holders, error, isPending } = useHolders()
  const hasGateway = holders?.some(({ kind }) => kind === 'payment') ?? false
  useStoreChanges(storeId, { topics, onChange: () => void refreshCash(storeId) })
  return (
    <main class="page cash" aria-busy={isPending}>
      <div class="page-head">
        <h1>{t('nav.cash')}</h1>
        {can('exportCash') && <MonthMenu />}
        {holders && can('carrier.syncCash') && <ReadCarriersButton holders={holders} />}
      </div>
      {error && <Failure error={error} />}
      {isPending && <span class="skeleton" />}
      {holders?.length === 0 && <p class="empty">{t('cash.empty')}</p>}
      {holders && holders.length > 0 && (
        <>
          <h2 class="visually-hidden">{t('cash.holders')}</h2>
          <HolderTable holders={holders} />
          <PayoutList holders={holders} />
          {hasGateway && can('listGatewayPayouts') && <GatewayPayouts />}
        </>
      )}
    </main>
  )
}
