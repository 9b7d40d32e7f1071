import { findErrorWords, formatNumber, t } from '../../../words/words.ts'
import { OutcomeTag } from '../outcome.tsx'
import type { Outcome } from '../payout/payout-data.ts'
import { PayoutTotals } from '../payout/totals.tsx'
import type { Check } from './import-data.ts'

interface CheckResultProps {
  readonly check: Check
  readonly currency: string
  readonly isPending: boolean
  readonly onImport: () => void
  readonly onOpen: (payoutId: string) => void
}

/** Differences that the file shows, or the reason why it cannot be imported yet. */
export function CheckResult({ check, currency, isPending, onImport, onOpen }: CheckResultProps) {
  const { problem, payout, lines, importedAs } = check
  return (
    <section class="cash-section">
      <h2>{t('cash.result')}</h2>
      {importedAs && (
        <p class="notice wait row wrap">
          {t('cash.known')}
          <button type="button" class="button" onClick={() => onOpen(importedAs.id)}>
            {t('cash.openPayout')}
          </button>
        </p>
      )}
      {problem && <Problem problem={problem} />}
      {payout && (
        <>
          <PayoutTotals totals={payout.totals} currency={currency} />
          <Outcomes counts={payout.totals.lines} />
          <button type="button" class="button primary large" disabled={isPending} onClick={onImport}>
            {t('cash.import', { count: lines })}
          </button>
        </>
      )}
    </section>
  )
}

/** Row of a file in the pointer of a detail. */
const ROW = /^\/file\/rows\/(\d+)$/

const Problem = ({ problem: { code, message, details } }: { readonly problem: NonNullable<Check['problem']> }) => (
  <div class="notice bad" role="alert">
    <p>{t('cash.problem')}</p>
    <p>{findErrorWords(code) ?? message}</p>
    {code !== 'sheet_columns_unknown' && (
      <ul>
        {details.map(({ path, message: text }) => (
          <li key={path + text}>
            {ROW.test(path) && <strong>{t('cash.row', { row: ROW.exec(path)?.[1] ?? '' })} </strong>}
            <span lang="en" dir="ltr">
              {text}
            </span>
          </li>
        ))}
      </ul>
    )}
  </div>
)

const Outcomes = ({ counts }: { readonly counts: Readonly<Record<Outcome, number>> }) => (
  <ul class="row wrap outcome-counts">
    {(Object.entries(counts) as [Outcome, number][])
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => (
        <li key={outcome}>
          <OutcomeTag outcome={outcome} /> {formatNumber(count)}
        </li>
      ))}
  </ul>
)
