import { keepPreviousData, useMutation, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { readAllPages } from '../../../api/all-pages.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useCreationHeader } from '../../../api/idempotency.ts'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Moment, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { type OrderDetails, refreshOrder } from './order-data.ts'
import { Section } from './section.tsx'

/** Pages of 100 that hold all comments that an order may have. */
const PAGES_MAX = 5

/** Comments that members of the store write on an order. Nothing for an order without comments that the user may not write any on. */
export function OrderComments({ order }: { readonly order: OrderDetails }) {
  const { can } = useStore()
  return can('listOrderComments') && (order.comments > 0 || can('commentOnOrder')) ? <Comments order={order} /> : null
}

function Comments({ order: { id, comments } }: { readonly order: OrderDetails }) {
  const { storeId, can } = useStore()
  const path = { storeId, orderId: id }
  const { data = [], error } = useQuery({
    queryKey: ['order-comments', id, comments],
    placeholderData: keepPreviousData,
    queryFn: () =>
      readAllPages((query) => unwrap(api.GET('/v1/stores/{storeId}/orders/{orderId}/comments', { params: { path, query } })), PAGES_MAX),
  })
  return (
    <Section title={t('orders.commentsTitle')}>
      {error && <Failure error={error} />}
      <ol class="stack">
        {data.map(({ id: commentId, text, writtenBy, createdAt }) => (
          <li key={commentId}>
            <span class="small muted">
              <Name inline>{writtenBy.name}</Name> · <Moment at={createdAt} />
            </span>
            <p class="note" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ol>
      {can('commentOnOrder') && <CommentForm orderId={id} />}
    </Section>
  )
}

function CommentForm({ orderId }: { readonly orderId: string }) {
  const { storeId } = useStore()
  const [text, setText] = useState('')
  const [written, setWritten] = useState(0)
  const headerOf = useCreationHeader()
  const path = { storeId, orderId }
  const write = useMutation({
    mutationFn: (body: Schemas['NewOrderComment']) =>
      // The same text may be written again: it is a comment of its own, after one that was saved.
      unwrap(api.POST('/v1/stores/{storeId}/orders/{orderId}/comments', { params: { path, header: headerOf([body, written]) }, body })),
    onSuccess: () => {
      setText('')
      setWritten(written + 1)
      return refreshOrder(storeId, orderId)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !write.isPending) write.mutate({ text: text.trim() })
  }
  return (
    <form class="stack" onSubmit={submit}>
      {write.error && <Failure error={write.error} />}
      <Field label={t('orders.writeComment')}>
        <textarea rows={2} maxLength={2000} dir="auto" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </Field>
      <div class="row end-row">
        <button type="submit" class="button" disabled={write.isPending}>
          {t('save')}
        </button>
      </div>
    </form>
  )
}
