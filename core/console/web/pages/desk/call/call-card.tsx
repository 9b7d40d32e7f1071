import { useStore } from '../../../session/store.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Code, Money, Name, PhoneLink } from '../../../ui/values.tsx'
import { formatPhone, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { CustomerFields } from '../correction/customer-fields.tsx'
import { ItemFields } from '../correction/item-fields.tsx'
import { PlaceFields } from '../correction/place-fields.tsx'
import { TotalRows } from '../correction/total-rows.tsx'
import type { Correction, Part } from '../correction/use-correction.ts'
import type { Call } from '../desk.ts'

interface CallCardProps {
  readonly call: Call
  readonly correction: Correction
}

/** The order to confirm: who is called, where it goes, what it holds and what it costs. Each part is corrected in place. */
export function CallCard({ call: { order }, correction }: CallCardProps) {
  const { customer, destination } = order
  const shown = (part: Part) => correction.open.has(part)
  return (
    <div class="desk-card">
      <div class="desk-customer">
        <div class="row apart">
          <h2>
            <Name>{customer.name}</Name>
          </h2>
          <Pencil part="customer" correction={correction} />
        </div>
        {shown('customer') ? <CustomerFields correction={correction} /> : <Destination destination={destination} />}
      </div>
      <a
        class="desk-call"
        aria-keyshortcuts="C"
        href={`tel:${customer.phone}`}
        aria-label={t('desk.call', { phone: formatPhone(customer.phone) })}
      >
        <Icon name="phone" size={22} />
        <span class="ltr">{formatPhone(customer.phone)}</span>
      </a>
      {customer.phoneAlt !== null && (
        <p class="small">
          <span class="muted">{t('desk.phoneAlt')}</span> <PhoneLink phone={customer.phoneAlt} />
        </p>
      )}
      {destination.cityCode === null && <p class="notice wait">{t('desk.placeUnknown')}</p>}
      <section class="card desk-lines">
        <PartHead label={t('desk.items')} part="items" correction={correction} />
        {shown('items') ? (
          <ItemFields correction={correction} />
        ) : (
          order.items.map(({ name, quantity, total }, at) => (
            <div class="desk-line" key={at}>
              <Name>{quantity === 1 ? name : `${quantity}× ${name}`}</Name>
              <Money amount={total} />
            </div>
          ))
        )}
        <TotalRows correction={correction} paid={order.paid} />
      </section>
      <section class="card desk-facts">
        <PartHead label={t('desk.address')} part="place" correction={correction} />
        {shown('place') ? (
          <PlaceFields correction={correction} />
        ) : (
          <>
            <p class="desk-fact">
              {destination.address ? <bdi dir="auto">{destination.address}</bdi> : <span class="muted">{t('desk.noAddress')}</span>}
            </p>
            {order.note !== '' && (
              <p class="desk-fact note">
                <span class="small muted">{t('desk.note')}</span>
                <bdi dir="auto">{order.note}</bdi>
              </p>
            )}
          </>
        )}
      </section>
      <p class="small muted">
        <Code>{order.reference}</Code>
      </p>
    </div>
  )
}

function Destination({ destination: { stateName, stateCode, cityName, deliveryType } }: Pick<Call['order'], 'destination'>) {
  const place = [cityName, stateName ?? stateCode].map(isolate).join(' · ')
  return (
    <p class="muted desk-place">
      <bdi dir="auto" class="inline">
        {place}
      </bdi>
      {' · '}
      {t(`desk.${deliveryType}`)}
    </p>
  )
}

function Pencil({ part, correction }: PartProps) {
  const store = useStore()
  if (!store.can('changeOrder')) return null
  const label = t(`desk.correct.${part}`)
  return (
    <button
      type="button"
      class="button quiet icon"
      aria-label={label}
      aria-expanded={correction.open.has(part)}
      title={label}
      onClick={() => correction.toggle(part)}
    >
      <Icon name="edit" size={16} />
    </button>
  )
}

interface PartProps {
  readonly part: Part
  readonly correction: Correction
}

/** Heading of a part, with the button that lets it be corrected. */
const PartHead = ({ label, ...part }: PartProps & { readonly label: string }) => (
  <div class="desk-part">
    <h3>{label}</h3>
    <Pencil {...part} />
  </div>
)
