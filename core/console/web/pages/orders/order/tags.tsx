import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { listOf } from '../list/filters/filters.ts'
import { type OrderDetails, refreshOrder, showAtOnce } from './order-data.ts'
import { Section } from './section.tsx'

/** Tags of an order, with a field that adds some. Nothing for an order without tags that the user may not give any. */
export function OrderTags({ order }: { readonly order: OrderDetails }) {
  const { can } = useStore()
  return order.tags.length > 0 || can('changeOrderTags') ? <Tags order={order} /> : null
}

function Tags({ order }: { readonly order: OrderDetails }) {
  const { storeId, can } = useStore()
  const [text, setText] = useState('')
  const path = { storeId, orderId: order.id }
  const change = useMutation({
    mutationFn: async (body: Schemas['OrderTagChange']) =>
      (await unwrap(api.PATCH('/v1/stores/{storeId}/orders/{orderId}/tags', { params: { path }, body }))).data,
    onSuccess: ({ tags }, { add }) => {
      if (add) setText('')
      showAtOnce(order.id, { tags })
      return refreshOrder(storeId, order.id)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const add = [...listOf(text)]
    if (add.length > 0 && !change.isPending) change.mutate({ add })
  }
  return (
    <Section title={t('orders.tags')}>
      <div class="row">
        {order.tags.map((tag) => (
          <Chip
            key={tag}
            removeLabel={t('orders.removeTag', { tag })}
            onRemove={can('changeOrderTags') ? () => change.mutate({ remove: [tag] }) : undefined}
          >
            <Name>{tag}</Name>
          </Chip>
        ))}
      </div>
      {change.error && <Failure error={change.error} />}
      {can('changeOrderTags') && (
        <form onSubmit={submit}>
          <Field label={t('orders.addTag')} hint={t('bulk.tagHint')}>
            <input
              value={text}
              maxLength={400}
              autocomplete="off"
              dir="auto"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </Field>
        </form>
      )}
    </Section>
  )
}
