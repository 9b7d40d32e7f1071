import { useReasonText } from '../../../api/call-reasons.ts'
import { Moment, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import type { OrderDetails } from './order-data.ts'
import { Section } from './section.tsx'

/** Calls to the customer of an order and their outcomes, newest first. */
export function Calls({ order: { pastCalls, calls } }: { readonly order: OrderDetails }) {
  if (pastCalls.length === 0) return null
  return (
    <Section title={t('orders.calls', { count: calls.count })}>
      <ol>
        {pastCalls.map(({ id, outcome, reason, agentName, nextTryAt, createdAt }) => (
          <li class="moment-item" key={id}>
            <span class="what">
              {t(`call.${outcome}`)}
              <Reason text={reason} />
              <span class="small muted block">
                {agentName === null ? t('orders.by.person') : <Name inline>{agentName}</Name>}
                {nextTryAt !== null && (
                  <>
                    {` · ${t('orders.nextCall')} `}
                    <Moment at={nextTryAt} />
                  </>
                )}
              </span>
            </span>
            <span class="small muted">
              <Moment at={createdAt} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** History of an order with the person behind each change, newest first. */
export function Timeline({ order: { history } }: { readonly order: OrderDetails }) {
  return (
    <Section title={t('orders.history')}>
      <ol class="timeline">
        {history.toReversed().map(({ fromStatus, toStatus, reason, by, at }) => (
          <li class="moment-item" key={`${at} ${toStatus}`}>
            <span class="what">
              {fromStatus === null ? t('orders.wasCreated') : fromStatus === toStatus ? t('orders.restCancelled') : t(`status.${toStatus}`)}
              <Reason text={reason} />
              <span class="small muted block">{by.name === null ? t(`orders.by.${by.kind}`) : <Name inline>{by.name}</Name>}</span>
            </span>
            <span class="small muted">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Reason({ text }: { readonly text: string }) {
  const reasonText = useReasonText()
  return text === '' ? null : (
    <span class="muted">
      {' — '}
      <Name inline>{reasonText(text)}</Name>
    </span>
  )
}
