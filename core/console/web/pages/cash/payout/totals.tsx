import { Money } from '../../../ui/values.tsx'
import { formatMoney, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import type { PayoutDetail } from './payout-data.ts'

interface TotalsProps {
  readonly totals: PayoutDetail['totals']
  readonly currency: string
}

const shown = ['expected', 'amount', 'fees', 'received'] as const
const labels = { expected: 'cash.expected', amount: 'cash.collected', fees: 'cash.fees', received: 'cash.received' } as const

/** Sums of a payout. Missing money is red, and money in excess amber. */
export function PayoutTotals({ totals, currency }: TotalsProps) {
  const { difference, unposted, lines } = totals
  const agrees = Object.entries(lines).every(([outcome, count]) => count === 0 || outcome === 'matched')
  return (
    <>
      <dl class="outcomes card totals">
        {shown.map((name) => (
          <div key={name}>
            <dt>{t(labels[name])}</dt>
            <dd>
              <Money amount={totals[name]} currency={currency} />
            </dd>
          </div>
        ))}
        {difference !== 0 && (
          <div class={difference > 0 ? 'bad-text' : 'wait-text'}>
            <dt>{t(difference > 0 ? 'cash.difference' : 'cash.excess')}</dt>
            <dd>
              <Money amount={Math.abs(difference)} currency={currency} />
            </dd>
          </div>
        )}
      </dl>
      {agrees && <p class="notice ok">{t('cash.exact')}</p>}
      {unposted !== 0 && <p class="notice wait">{t('cash.unposted', { amount: isolate(formatMoney(unposted, currency)) })}</p>}
    </>
  )
}
