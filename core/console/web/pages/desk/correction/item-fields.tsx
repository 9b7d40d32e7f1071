import { problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Money, Name } from '../../../ui/values.tsx'
import { isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { canCorrectQuantities, readAmount } from './draft.ts'
import type { Correction } from './use-correction.ts'

const QUANTITY_MAX = 100_000

/** Fields of the quantities, the delivery price and the discount. */
export function ItemFields({ correction }: { readonly correction: Correction }) {
  const { order, draft, edit, failure, isMissing } = correction
  const canCorrect = canCorrectQuantities(order)
  const change = (at: number, quantity: number) => {
    const quantities = draft.quantities.map((each, place) => (place === at ? Math.min(Math.max(quantity, 0), QUANTITY_MAX) : each))
    if (quantities.some((each) => each > 0)) edit({ quantities })
  }
  const amountProblem = (field: 'deliveryPrice' | 'discount') =>
    isMissing(field) ? t('desk.notANumber') : problemOf(failure, field === 'discount' ? 'discount/amount' : field)
  return (
    <>
      {order.items.map(({ name, unitPrice }, at) => (
        <div class="desk-line" key={at}>
          <Name>{name}</Name>
          {canCorrect ? (
            <Stepper name={name} quantity={draft.quantities[at] ?? 0} onChange={(quantity) => change(at, quantity)} />
          ) : (
            <span class="small muted">{t('desk.bundle')}</span>
          )}
          <Money amount={unitPrice * (draft.quantities[at] ?? 0)} />
        </div>
      ))}
      <div class="stack desk-form">
        <div class="desk-pair">
          <Field label={t('desk.deliveryPrice')} hint={t('desk.byPrices')} problem={amountProblem('deliveryPrice')}>
            <input
              inputMode="decimal"
              dir="ltr"
              value={draft.deliveryPrice}
              onInput={({ currentTarget }) => edit({ deliveryPrice: currentTarget.value })}
            />
          </Field>
          <Field label={t('desk.discount')} problem={amountProblem('discount')}>
            <input
              inputMode="decimal"
              dir="ltr"
              value={draft.discount}
              onInput={({ currentTarget }) => edit({ discount: currentTarget.value })}
            />
          </Field>
        </div>
        {(readAmount(draft.discount) ?? 0) > 0 && (
          <Field
            label={t('desk.discountReason')}
            problem={isMissing('discountReason') ? t('desk.missing') : problemOf(failure, 'discount/reason')}
          >
            <input
              dir="auto"
              maxLength={500}
              value={draft.discountReason}
              onInput={({ currentTarget }) => edit({ discountReason: currentTarget.value })}
            />
          </Field>
        )}
      </div>
    </>
  )
}

interface StepperProps {
  readonly name: string
  readonly quantity: number
  readonly onChange: (quantity: number) => void
}

/** Quantity of a line, with a button for one less and one more. */
const Stepper = ({ name, quantity, onChange }: StepperProps) => (
  <span class="desk-stepper">
    <button type="button" class="button icon" aria-label={t('desk.less', { name: isolate(name) })} onClick={() => onChange(quantity - 1)}>
      −
    </button>
    <input
      class="input"
      inputMode="numeric"
      aria-label={t('desk.quantity', { name: isolate(name) })}
      value={String(quantity)}
      onInput={({ currentTarget }) => onChange(Math.trunc(readAmount(currentTarget.value) ?? 0))}
    />
    <button type="button" class="button icon" aria-label={t('desk.more', { name: isolate(name) })} onClick={() => onChange(quantity + 1)}>
      +
    </button>
  </span>
)
