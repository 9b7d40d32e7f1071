import { useQuery } from '@tanstack/preact-query'
import { api } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Moment, Money, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import type { OrderDetails } from './order-data.ts'
import { Section } from './section.tsx'

const SHOWN = 20
const toneOf: Readonly<Record<string, string>> = { paid: 'ok', partially_paid: 'wait', pending: 'go', needs_attention: 'bad' }

/** Payments in advance of an order. */
export function Payments({ order: { id, paymentStatus } }: { readonly order: OrderDetails }) {
  const { can } = useStore()
  const read = async () => (await unwrap(api.GET('/v1/orders/{id}/payments', { params: { path: { id }, query: { limit: SHOWN } } }))).data
  const { data: payments = [] } = useQuery({ queryKey: ['order', id, 'payments'], queryFn: read, enabled: can('listPayments') })
  return (
    <Section title={t('orders.payment')}>
      <p>
        <span class={`status ${toneOf[paymentStatus] ?? ''}`}>{t(`orders.paymentStatus.${paymentStatus}`)}</span>
      </p>
      <ul class="stack">
        {payments.map(({ id: paymentId, gateway, status, amount, concern, createdAt }) => (
          <li key={paymentId} class="row apart">
            <span>
              <Name inline>{gateway}</Name> · {t(`payment.${status}`)}
              {concern !== null && <span class="status bad">{t(`concern.${concern}`)}</span>}
            </span>
            <span>
              <Money amount={amount} />{' '}
              <span class="small muted">
                <Moment at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
