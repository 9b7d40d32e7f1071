import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useCreationHeader } from '../../api/idempotency.ts'
import { useStore } from '../../session/store.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { formatPhone } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { type Customer, refreshCustomers } from './customer-data.ts'

/** Digits of the phone number that are typed to confirm: an erasure cannot be undone. */
const DIGITS = 4

interface EraseCustomerProps {
  readonly customer: Customer
  readonly onClose: () => void
  readonly onErased: () => void
}

/** Erases the personal data of a customer, after the user has typed the end of their phone number. */
export function EraseCustomerDialog({ customer, onClose, onErased }: EraseCustomerProps) {
  const { storeId } = useStore()
  const [digits, setDigits] = useState('')
  const headerOf = useCreationHeader()
  const erase = useMutation({
    mutationFn: () => {
      const params = { path: { storeId, customerId: customer.id }, header: headerOf(customer.id) }
      return unwrap(api.POST('/v1/stores/{storeId}/customers/{customerId}/erase', { params }))
    },
    onSuccess: ({ data: { carriers } }) => {
      showToast(carriers.length === 0 ? t('customers.erased') : t('customers.erasedAsk', { carriers: carriers.join(', ') }))
      onErased()
    },
    onSettled: () => refreshCustomers(storeId),
  })
  const isSure = digits.trim() === customer.phone.slice(-DIGITS)
  return (
    <Dialog title={t('customers.eraseTitle', { name: customer.name })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure && !erase.isPending) erase.mutate()
        }}
      >
        <p>{t('customers.eraseText')}</p>
        <p class="muted">{t('customers.eraseStays')}</p>
        <Field label={t('customers.eraseDigits', { phone: formatPhone(customer.phone) })}>
          <input
            inputMode="numeric"
            autocomplete="off"
            maxLength={DIGITS}
            value={digits}
            onInput={({ currentTarget }) => setDigits(currentTarget.value)}
          />
        </Field>
        {erase.error && <Failure error={erase.error} />}
        <div class="row">
          <button type="submit" class="button danger" disabled={!isSure || erase.isPending}>
            {t('customers.eraseSubmit')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
