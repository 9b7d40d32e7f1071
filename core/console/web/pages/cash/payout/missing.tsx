import { Code, Money } from '../../../ui/values.tsx'
import { formatMoney, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import type { PayoutDetail } from './payout-data.ts'

const SHOWN = 100

interface MissingProps {
  readonly payout: PayoutDetail
  readonly currency: string
}

/** Delivered parcels that the payout should have named, the oldest first. */
export function MissingParcels({ payout: { missing, totals }, currency }: MissingProps) {
  if (totals.missingParcels === 0) return null
  return (
    <section class="cash-section">
      <h2>{t('cash.missing', { count: totals.missingParcels })}</h2>
      <p class="muted">{t('cash.missingSum', { amount: isolate(formatMoney(totals.missing, currency)) })}</p>
      <ul class="missing card">
        {missing.slice(0, SHOWN).map(({ parcelId, trackingId, reference, amount, ageDays, aged }) => (
          <li key={parcelId}>
            <Code>{trackingId === '' ? (reference ?? '') : trackingId}</Code>
            <span class={aged ? 'bad-text' : 'muted'}>{t('cash.age', { count: ageDays })}</span>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </section>
  )
}
