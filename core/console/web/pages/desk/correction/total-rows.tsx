import { Failure } from '../../../ui/failure.tsx'
import { Money } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import type { Correction } from './use-correction.ts'

interface TotalRowsProps {
  readonly correction: Correction
  /** Amount paid in advance. */
  readonly paid: number
}

/** Delivery, discount and total of the order as its draft makes it. */
export function TotalRows({ correction: { totals, isWaiting, error }, paid }: TotalRowsProps) {
  return (
    <>
      <div class="desk-line">
        <span>{t('desk.delivery')}</span>
        <Money amount={totals.delivery} />
      </div>
      {totals.discount > 0 && (
        <div class="desk-line">
          <span>{t('desk.discount')}</span>
          <Money amount={-totals.discount} />
        </div>
      )}
      <div class="desk-line total" aria-live="polite" data-waiting={isWaiting}>
        <span>{t('desk.total')}</span>
        <Money amount={totals.total} />
      </div>
      {paid > 0 && (
        <>
          <div class="desk-line">
            <span>{t('desk.paid')}</span>
            <Money amount={-paid} />
          </div>
          <div class="desk-line total">
            <span>{t('desk.toCollect')}</span>
            <Money amount={Math.max(0, totals.total - paid)} />
          </div>
        </>
      )}
      {Boolean(error) && (
        <div class="desk-line">
          <Failure error={error} />
        </div>
      )}
    </>
  )
}
