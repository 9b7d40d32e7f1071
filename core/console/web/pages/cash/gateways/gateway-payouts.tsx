import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useHolderNames } from '../../../api/carriers.ts'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Day, Money, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { useGatewayPayouts } from '../cash-data.ts'
import { gatewayPayoutPath } from '../paths.ts'

/** Colours of the statuses of a gateway's transfer. */
export const toneOfGatewayStatus = { pending: 'go', in_transit: 'go', paid: 'ok', failed: 'bad', cancelled: 'over' } as const

/** Transfers of gateways to the bank, newest first. Those with lines to look at say so. */
export function GatewayPayouts() {
  const { storeId, can } = useStore()
  const nameOf = useHolderNames()
  const [isWaiting, setWaiting] = useState(false)
  const list = useGatewayPayouts(isWaiting)
  const payouts = list.data?.pages.flatMap(({ data }) => data)
  return (
    <section class="cash-section" aria-busy={list.isPending}>
      <h2>{t('cash.gatewayPayouts')}</h2>
      <label class="check">
        <input type="checkbox" checked={isWaiting} onChange={({ currentTarget }) => setWaiting(currentTarget.checked)} />
        {t('cash.onlyWaiting')}
      </label>
      {list.error && <Failure error={list.error} />}
      {payouts?.length === 0 && <p class="empty">{t('cash.noPayouts')}</p>}
      {payouts && payouts.length > 0 && (
        <ul class="gateway-payouts card">
          {payouts.map(({ id, gateway, status, amount, currency, waiting, madeAt }) => (
            <li key={id}>
              {can('readGatewayPayout') ? (
                <Link href={gatewayPayoutPath(storeId, id)}>
                  <Name inline>{nameOf(gateway)}</Name>
                </Link>
              ) : (
                <Name inline>{nameOf(gateway)}</Name>
              )}
              <Day at={madeAt} />
              <span class={`status ${toneOfGatewayStatus[status]}`}>{t(`cash.gatewayStatus.${status}`)}</span>
              {waiting > 0 && <span class="status wait">{t('cash.waitingLines', { count: waiting })}</span>}
              <Money amount={amount} currency={currency} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <button type="button" class="button more-rows" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('cash.more')}
        </button>
      )}
    </section>
  )
}
