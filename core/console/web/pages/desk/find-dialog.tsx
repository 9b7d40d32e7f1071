import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Code, Money, Name, OrderStatusTag } from '../../ui/values.tsx'
import { formatPhone } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { deskKey } from './desk-key.ts'

const TYPING_MS = 200
const SHORTEST = 2
const SHOWN = 10
const waitingStatuses: readonly string[] = ['pending', 'unreachable', 'postponed']

interface FindDialogProps {
  readonly take: (orderId: string) => Promise<void>
  readonly onClose: () => void
}

/** Returns true for a phone number, or at least its last four digits. */
const isPhoneEnd = (text: string): boolean => /^\+?([\s().\-/]*\d){4,20}[\s().\-/]*$/.test(text)

/** Finds orders that no carrier has by the end of the phone number. */
async function findCallers(storeId: string, phone: string) {
  const { data } = await unwrap(api.GET('/v1/orders/confirmation/callers', { params: { query: { storeId, phone } } }))
  return data.map(({ customerName, customerPhone, ...order }) => ({ ...order, name: customerName, phone: customerPhone }))
}

/** Finds orders by name or reference. */
async function findOrders(storeId: string, q: string) {
  const { data } = await unwrap(api.GET('/v1/orders', { params: { query: { storeId, q, limit: SHOWN } } }))
  return data.map(({ id, reference, status, customer: { name, phone }, totals: { total } }) => ({
    id,
    reference,
    status,
    name,
    phone,
    total,
  }))
}

/** Finds the order of a customer who calls, by phone, last digits, name or reference, and puts it on the desk. */
export function FindDialog({ take, onClose }: FindDialogProps) {
  const { storeId } = useStore()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const q = useDebounced(text.trim(), TYPING_MS)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: deskKey(storeId, 'search', q),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
    queryFn: () => (isPhoneEnd(q) ? findCallers(storeId, q) : findOrders(storeId, q)),
  })
  const found = q.length < SHORTEST ? undefined : data
  const choose = (orderId: string) => void take(orderId).then(onClose, setFailure)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The list may still be that of the text before.
    if (q !== text.trim() || isPlaceholderData) return
    const takeable = found?.filter(({ status }) => waitingStatuses.includes(status)) ?? []
    const [only] = takeable
    if (only && takeable.length === 1) choose(only.id)
  }
  return (
    <Dialog title={t('desk.find')} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t('desk.findLabel')}>
          <input
            type="search"
            data-first
            value={text}
            maxLength={100}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
      </form>
      {Boolean(failure ?? error) && <Failure error={failure ?? error} />}
      {found?.length === 0 && <p class="muted">{t('desk.findNone')}</p>}
      <ul class="desk-found">
        {found?.map(({ id, reference, status, name, phone, total }) => (
          <li key={id}>
            <button type="button" disabled={!waitingStatuses.includes(status)} onClick={() => choose(id)}>
              <span>
                <Name>{name}</Name>
                <span class="small muted">
                  <Code>{formatPhone(phone)}</Code> · <Code>{reference}</Code>
                </span>
              </span>
              <span>
                <OrderStatusTag status={status} />
                <Money amount={total} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
