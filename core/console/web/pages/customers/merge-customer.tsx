import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Name } from '../../ui/values.tsx'
import { formatPhone } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { type Customer, refreshCustomers, useCustomers } from './customer-data.ts'

interface MergeCustomerProps {
  readonly customer: Customer
  readonly onClose: () => void
}

/** Merges another customer into this one: a person who ordered with two numbers. */
export function MergeCustomerDialog({ customer, onClose }: MergeCustomerProps) {
  const { storeId } = useStore()
  const [text, setText] = useState('')
  const [other, setOther] = useState<Customer | null>(null)
  const found = useCustomers(useDebounced(text.trim()))
  const merge = useMutation({
    mutationFn: (customerId: string) =>
      unwrap(
        api.POST('/v1/stores/{storeId}/customers/{customerId}/merge', {
          params: { path: { storeId, customerId: customer.id } },
          body: { customerId },
        }),
      ),
    onSuccess: () => {
      showToast(t('customers.merged'))
      onClose()
    },
    onSettled: () => refreshCustomers(storeId),
  })
  return (
    <Dialog title={t('customers.mergeTitle', { name: customer.name })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (other && !merge.isPending) merge.mutate(other.id)
        }}
      >
        <p class="muted">{t('customers.mergeText')}</p>
        <Field label={t('customers.mergeOther')}>
          <Combobox
            text={text}
            onText={(typed) => {
              setOther(null)
              setText(typed)
            }}
            items={(found.data?.pages[0]?.data ?? []).filter(({ id }) => id !== customer.id).slice(0, 12)}
            keyOf={({ id }) => id}
            show={({ name, phone }) => (
              <>
                <Name>{name}</Name>
                <span class="ltr muted">{formatPhone(phone)}</span>
              </>
            )}
            isWaiting={found.isFetching}
            none={t('customers.noneFound')}
            onChoose={(chosen) => {
              setOther(chosen)
              setText(`${chosen.name} · ${formatPhone(chosen.phone)}`)
            }}
          />
        </Field>
        {merge.error && <Failure error={merge.error} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={other === null || merge.isPending}>
            {t('customers.merge')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
