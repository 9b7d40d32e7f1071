import type { ComponentChildren } from 'preact'
import { useStore } from '../../../../session/store.tsx'
import { problemOf } from '../../../../ui/failure.tsx'
import { Choices } from '../../../../ui/form/choices.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { clearStopDesk, StopDeskField } from '../../../../ui/form/stop-desk-field.tsx'
import { t } from '../../../../words/words.ts'
import type { OrderProblem, OrderValues } from '../values/order-values.ts'
import { KnownCustomer } from './known-customer.tsx'
import { LineEditor } from './line-editor.tsx'
import { PlaceFields } from './place-fields.tsx'

interface OrderFieldsProps {
  readonly values: OrderValues
  readonly onChange: (change: Partial<OrderValues>) => void
  /** Fields that are empty or cannot be read; none before the first attempt to send. */
  readonly problems: ReadonlySet<OrderProblem>
  /** Answer of the server to the last attempt, or to the last calculation. */
  readonly error: unknown
  /** True for an order that is being written: then the customer of a known number is named. */
  readonly isNew?: boolean
}

/** Sections of the form of an order: goods, customer, delivery, amounts. */
export function OrderFields(props: OrderFieldsProps) {
  const { values, onChange, problems, error } = props
  return (
    <>
      <Section title={t('order.goods')}>
        <LineEditor
          lines={values.lines}
          onChange={(lines) => onChange({ lines })}
          problem={problems.has('lines') ? t('order.needsLine') : undefined}
          problemAt={(at) =>
            problemOf(error, `items/${at}/quantity`) ?? problemOf(error, `items/${at}/productId`) ?? problemOf(error, `items/${at}`)
          }
        />
      </Section>
      <CustomerSection {...props} />
      <DeliverySection {...props} />
      <Section title={t('order.note')}>
        <Field label={t('order.noteLabel')} problem={problemOf(error, 'note')}>
          <textarea value={values.note} maxLength={2000} onInput={({ currentTarget }) => onChange({ note: currentTarget.value })} />
        </Field>
      </Section>
    </>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="stack form-section">
    <h2>{title}</h2>
    {children}
  </section>
)

const required = (isMissing: boolean) => (isMissing ? t('order.required') : undefined)

function CustomerSection({ values, onChange, problems, error, isNew = false }: OrderFieldsProps) {
  const field = (name: 'name' | 'phone' | 'phoneAlt') => ({
    value: values[name],
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange({ [name]: currentTarget.value }),
  })
  return (
    <Section title={t('order.customer')}>
      <div class="pair">
        <Field label={t('order.phone')} problem={required(problems.has('phone')) ?? problemOf(error, 'customer/phone')}>
          <input type="tel" autocomplete="off" dir="ltr" maxLength={40} {...field('phone')} />
        </Field>
        <Field label={t('order.name')} problem={required(problems.has('name')) ?? problemOf(error, 'customer/name')}>
          <input autocomplete="off" dir="auto" maxLength={200} {...field('name')} />
        </Field>
      </div>
      {isNew && <KnownCustomer phone={values.phone} onName={values.name === '' ? (name) => onChange({ name }) : undefined} />}
      <div class="pair">
        <Field label={t('order.phoneAlt')} problem={problemOf(error, 'customer/phoneAlt')}>
          <input type="tel" autocomplete="off" dir="ltr" maxLength={40} {...field('phoneAlt')} />
        </Field>
      </div>
    </Section>
  )
}

function DeliverySection({ values, onChange, problems, error }: OrderFieldsProps) {
  const { countryCode } = useStore()
  const move = (change: Partial<OrderValues>) => onChange(clearStopDesk(values, change))
  return (
    <Section title={t('order.deliverySection')}>
      <Choices
        label={t('order.deliveryType')}
        value={values.deliveryType}
        choices={[
          ['home', t('order.home')],
          ['pickup', t('order.pickup')],
        ]}
        onChoose={(deliveryType) => move({ deliveryType })}
      />
      <PlaceFields
        country={countryCode}
        stateCode={values.stateCode}
        cityName={values.cityName}
        onChange={move}
        problems={{
          state: required(problems.has('state')) ?? problemOf(error, 'destination/stateCode'),
          city: required(problems.has('city')) ?? problemOf(error, 'destination/cityName'),
        }}
      />
      <StopDeskField
        country={countryCode}
        address={values}
        onChoose={(pickupId) => onChange({ pickupId })}
        problem={problemOf(error, 'destination/pickupId')}
      />
      <Field label={t('order.address')} problem={problemOf(error, 'destination/address')}>
        <input
          dir="auto"
          maxLength={500}
          value={values.address}
          onInput={({ currentTarget }) => onChange({ address: currentTarget.value })}
        />
      </Field>
    </Section>
  )
}
