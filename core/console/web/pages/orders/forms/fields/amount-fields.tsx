import { problemOf } from '../../../../ui/failure.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { readAmount } from '../../../../words/numbers.ts'
import { t } from '../../../../words/words.ts'
import type { OrderProblem, OrderValues } from '../values/order-values.ts'

interface AmountFieldsProps {
  readonly values: OrderValues
  readonly onChange: (change: Partial<OrderValues>) => void
  readonly problems: ReadonlySet<OrderProblem>
  readonly error: unknown
  /** Delivery price of the store's own prices, shown where none is set by hand. */
  readonly usualDelivery: number | undefined
}

/** Fields that change what an order costs: a promotion, a discount by hand and the delivery price. */
export function AmountFields({ values, onChange, problems, error, usualDelivery }: AmountFieldsProps) {
  const field = (name: 'promoCode' | 'discount' | 'discountReason' | 'deliveryPrice') => ({
    value: values[name],
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange({ [name]: currentTarget.value }),
  })
  const hasDiscount = (readAmount(values.discount) ?? 0) !== 0
  return (
    <div class="stack">
      <div class="pair">
        <Field
          label={t('order.deliveryPrice')}
          problem={problems.has('deliveryPrice') ? t('order.notAmount') : problemOf(error, 'deliveryPrice')}
        >
          <input inputMode="decimal" placeholder={usualDelivery === undefined ? '' : String(usualDelivery)} {...field('deliveryPrice')} />
        </Field>
        <Field
          label={t('order.discountAmount')}
          problem={problems.has('discount') ? t('order.discountWrong') : problemOf(error, 'discount/amount')}
        >
          <input inputMode="decimal" {...field('discount')} />
        </Field>
      </div>
      {hasDiscount && (
        <Field
          label={t('order.discountReason')}
          problem={problems.has('discountReason') ? t('order.required') : problemOf(error, 'discount/reason')}
        >
          <input maxLength={500} dir="auto" {...field('discountReason')} />
        </Field>
      )}
      <Field label={t('order.promoCode')} problem={problemOf(error, 'promoCode')}>
        <input maxLength={80} autocapitalize="characters" dir="ltr" {...field('promoCode')} />
      </Field>
    </div>
  )
}
