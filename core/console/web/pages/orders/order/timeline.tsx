import { Moment, Name } from '../../../ui/values.tsx'
import { findWord, t } from '../../../words/words.ts'
import type { OrderDetails } from './order-data.ts'
import { Section } from './order-view.tsx'

/** History of an order with the person behind each change, newest first, and the number of calls to its customer. */
export function Timeline({ order: { history, calls } }: { readonly order: OrderDetails }) {
  const { count, lastOutcome } = calls
  return (
    <Section title={t('orders.history')}>
      {count > 0 && (
        <p class="muted">
          {t('orders.calls', { count })}
          {lastOutcome !== null && ` · ${findWord(`call.${lastOutcome}`) ?? lastOutcome}`}
        </p>
      )}
      <ol class="timeline">
        {history.toReversed().map(({ fromStatus, toStatus, reason, by, at }) => (
          <li class="moment-item" key={`${at} ${toStatus}`}>
            <span class="what">
              {fromStatus === null ? t('orders.wasCreated') : fromStatus === toStatus ? t('orders.restCancelled') : t(`status.${toStatus}`)}
              {reason !== '' && (
                <span class="muted">
                  {' — '}
                  <Name inline>{reason}</Name>
                </span>
              )}
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
