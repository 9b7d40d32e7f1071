import { Link } from 'wouter-preact'
import { useStore } from '../../../session/store.tsx'
import { Code, Money } from '../../../ui/values.tsx'
import { formatNumber, t } from '../../../words/words.ts'
import { OutcomeTag } from '../outcome.tsx'
import type { Outcome, PayoutDetail, PayoutLine } from './payout-data.ts'

interface LinesProps {
  readonly counts: PayoutDetail['totals']['lines']
  readonly lines: readonly PayoutLine[]
  readonly outcome: Outcome | 'all'
  readonly currency: string
  readonly onChoose: (outcome: Outcome | 'all') => void
}

/** Lines of a payout, by result. Results that no line has are left out. */
export function PayoutLines({ counts, lines, outcome, currency, onChoose }: LinesProps) {
  const present = (Object.entries(counts) as [Outcome, number][]).filter(([, count]) => count > 0)
  const all = present.reduce((sum, [, count]) => sum + count, 0)
  return (
    <section class="cash-section">
      <fieldset class="tabs plain">
        <legend class="visually-hidden">{t('cash.outcome')}</legend>
        {[['all', all] as const, ...present].map(([each, count]) => (
          <button key={each} type="button" aria-pressed={each === outcome} onClick={() => onChoose(each)}>
            {t(`cash.outcome.${each}`)}
            <span class="count">{formatNumber(count)}</span>
          </button>
        ))}
      </fieldset>
      {lines.length === 0 ? <p class="empty">{t('cash.noLines')}</p> : <LineTable lines={lines} currency={currency} />}
    </section>
  )
}

const LineTable = ({ lines, currency }: Pick<LinesProps, 'lines' | 'currency'>) => (
  <table class="table payout-lines">
    <thead>
      <tr>
        <th scope="col">{t('cash.line')}</th>
        <th scope="col">{t('cash.outcome')}</th>
        <th scope="col" class="end">
          {t('cash.expected')}
        </th>
        <th scope="col" class="end">
          {t('cash.collected')}
        </th>
        <th scope="col" class="end">
          {t('cash.fees')}
        </th>
        <th scope="col" class="end">
          {t('cash.paid')}
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <LineRow key={line.line} line={line} currency={currency} />
      ))}
    </tbody>
  </table>
)

function LineRow({ line, currency }: { readonly line: PayoutLine; readonly currency: string }) {
  const { storeId, can } = useStore()
  const { trackingId, reference, outcome, expected, amount, fee = 0, net } = line
  const name = trackingId === '' ? (reference ?? '') : trackingId
  return (
    <tr>
      <th scope="row">
        {line.parcelId !== null && can('listOrders') ? (
          <Link class="row-link" href={`/${storeId}/orders?${new URLSearchParams({ q: name })}`}>
            <Code>{name}</Code>
          </Link>
        ) : (
          <Code>{name}</Code>
        )}
      </th>
      <td>
        <OutcomeTag outcome={outcome} />
      </td>
      <td class="end" data-name={t('cash.expected')}>
        <Money amount={expected} currency={currency} />
      </td>
      <td class="end" data-name={t('cash.collected')}>
        <Money amount={amount} currency={currency} />
      </td>
      <td class="end" data-name={t('cash.fees')}>
        <Money amount={fee} currency={currency} />
      </td>
      <td class="end" data-name={t('cash.paid')}>
        <Money amount={net} currency={currency} />
      </td>
    </tr>
  )
}
