import { Money } from '../../../../ui/values.tsx'
import { t } from '../../../../words/words.ts'
import type { Totals } from '../values/calculation.ts'

interface OrderTotalsProps {
  readonly totals: Totals
  /** True while newer amounts are being calculated. */
  readonly isWaiting: boolean
}

/** Shows the amounts of an order. They are read aloud when they change. */
export const OrderTotals = ({ totals: { subtotal, delivery, discount, total }, isWaiting }: OrderTotalsProps) => (
  <dl class="totals card" aria-live="polite" data-waiting={isWaiting}>
    <div>
      <dt>{t('order.subtotal')}</dt>
      <dd>
        <Money amount={subtotal} />
      </dd>
    </div>
    <div>
      <dt>{t('order.delivery')}</dt>
      <dd>{delivery === undefined ? '—' : <Money amount={delivery} />}</dd>
    </div>
    {discount > 0 && (
      <div>
        <dt>{t('order.discount')}</dt>
        <dd>
          <Money amount={-discount} />
        </dd>
      </div>
    )}
    <div class="sum">
      <dt>{t('order.total')}</dt>
      <dd>
        <Money amount={total} />
      </dd>
    </div>
  </dl>
)
