import { useQuery } from '@tanstack/preact-query'
import { useReasonText } from '../../../api/call-reasons.ts'
import { api } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { RiskNotice } from '../../../ui/risk.tsx'
import { Code, Moment, Money, OrderStatusTag } from '../../../ui/values.tsx'
import { formatMoment, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import type { Call } from '../desk.ts'
import { deskKey } from '../desk-key.ts'

const SHOWN = 5

/** Shows what is known of the customer: parcels of the phone number, other orders, and past calls. */
export function CustomerHistory({ call }: { readonly call: Call }) {
  return (
    <div class="desk-history">
      <Trust call={call} />
      <OtherOrders call={call} />
      <PastCalls call={call} />
    </div>
  )
}

function Trust({ call: { recipient } }: { readonly call: Call }) {
  const { delivered, refused, returned, risk } = recipient
  if (delivered + refused + returned === 0) return null
  return (
    <section>
      <h3>{t('desk.trust')}</h3>
      <RiskNotice risk={risk} />
      <p class="row">
        {delivered > 0 && <span class="status ok">{t('desk.delivered', { count: delivered })}</span>}
        {refused > 0 && <span class="status bad">{t('desk.refused', { count: refused })}</span>}
        {returned > 0 && <span class="status bad">{t('desk.returned', { count: returned })}</span>}
      </p>
    </section>
  )
}

function OtherOrders({ call: { order } }: { readonly call: Call }) {
  const store = useStore()
  const { phone } = order.customer
  const { data } = useQuery({
    queryKey: deskKey(store.storeId, 'phone', phone),
    enabled: store.can('listOrders'),
    queryFn: async () => {
      const query = { storeId: store.storeId, phone, limit: SHOWN + 1 }
      return (await unwrap(api.GET('/v1/orders', { params: { query } }))).data
    },
  })
  if (data === undefined) return null
  const others = data.filter(({ id }) => id !== order.id).slice(0, SHOWN)
  if (others.length === 0) return <p class="muted">{t('desk.first')}</p>
  return (
    <section>
      <h3>{t('desk.otherOrders')}</h3>
      <ul class="desk-list">
        {others.map(({ id, reference, status, totals, createdAt }) => (
          <li key={id}>
            <span>
              <Code>{reference}</Code>
              <span class="small muted">
                <Moment at={createdAt} />
              </span>
            </span>
            <OrderStatusTag status={status} />
            <Money amount={totals.total} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PastCalls({ call: { calls } }: { readonly call: Call }) {
  const { timeZone } = useStore()
  const reasonText = useReasonText()
  if (calls.length === 0) return null
  return (
    <section>
      <h3>{t('desk.pastCalls')}</h3>
      <ul class="desk-list">
        {calls.map(({ id, outcome, reason, agentName, nextTryAt, createdAt }) => (
          <li key={id}>
            <span>
              {t(`desk.past.${outcome}`)}
              {reason !== '' && ` · ${isolate(reasonText(reason))}`}
              <span class="small muted">
                {[agentName && isolate(agentName), nextTryAt && t('desk.nextTry', { time: formatMoment(nextTryAt, timeZone) })]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <Moment at={createdAt} />
          </li>
        ))}
      </ul>
    </section>
  )
}
