import { Code, Money, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { useLabelPath } from './label-path.ts'
import type { OrderDetails } from './order-data.ts'
import { Section } from './section.tsx'

type Parcel = OrderDetails['parcels'][number]

const toneOf: Readonly<Record<Parcel['status'], string>> = {
  created: '',
  submitting: 'go',
  submitted: 'go',
  picked_up: 'go',
  in_transit: 'go',
  at_center: 'go',
  out_for_delivery: 'go',
  delivery_failed: 'wait',
  on_hold: 'wait',
  delivered: 'ok',
  returning: 'bad',
  returned: 'bad',
  cancelled: 'over',
  lost: 'bad',
}

/** Parcels of an order, each with its tracking number, its label and the reason why its sending failed. */
export function Parcels({ order: { parcels, parcel: latest } }: { readonly order: OrderDetails }) {
  const labelPathOf = useLabelPath()
  if (parcels.length === 0) return null
  return (
    <Section title={t('orders.parcels', { count: parcels.length })}>
      <ul class="card">
        {parcels.map((parcel) => {
          const { id, status, carrier, trackingId, codAmount, lastError } = parcel
          const label = labelPathOf(parcel)
          return (
            <li class="parcel-item" key={id}>
              <div class="row apart">
                <span>
                  <Name inline>{(latest?.id === id ? latest.carrierName : null) ?? carrier ?? t('orders.noCarrier')}</Name>{' '}
                  {trackingId !== null && <Code>{trackingId}</Code>}
                </span>
                <span class={`status ${toneOf[status]}`}>{t(`parcel.${status}`)}</span>
              </div>
              <div class="row apart small muted">
                <span>
                  {t('orders.toCollect')} <Money amount={codAmount} />
                </span>
                {label !== undefined && (
                  <a href={label} target="_blank" rel="noopener">
                    {t('orders.printLabel')}
                  </a>
                )}
              </div>
              {lastError !== null && (
                <p class="notice bad" dir="auto">
                  {lastError.message}
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
