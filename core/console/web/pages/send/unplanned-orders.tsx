import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { Code, Name } from '../../ui/values.tsx'
import { findErrorWords, language, t } from '../../words/words.ts'
import type { PlannedOrder } from './send-data.ts'

/** Orders that no carrier can take as they are, each with its reason and a link to mend it. */
export function UnplannedOrders({ orders }: { readonly orders: readonly PlannedOrder[] }) {
  const { storeId } = useStore()
  return (
    <section class="unplanned">
      <h2>{t('send.notSent', { count: orders.length })}</h2>
      <ul class="card">
        {orders.map(({ id, reference, customer, error, reason }) => (
          <li key={id}>
            <Link href={`/${storeId}/orders/${id}`}>
              <Code>{reference}</Code>
            </Link>
            <Name inline>{customer}</Name>
            <Reason code={error} reason={reason} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Reason in the language of the page by its code; else the server's own sentence. */
function Reason({ code, reason }: { readonly code: string | null; readonly reason: string }) {
  const words = code !== null && language.value !== 'en' ? findErrorWords(code) : undefined
  if (words !== undefined) return <span class="muted">{words}</span>
  return (
    <span class="muted" lang="en" dir="ltr">
      {reason}
    </span>
  )
}
