import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { api } from '../../../../api/client.ts'
import { unwrap } from '../../../../api/errors.ts'
import { useStore } from '../../../../session/store.tsx'
import { useDebounced } from '../../../../ui/debounced.ts'
import { Name } from '../../../../ui/values.tsx'
import { t } from '../../../../words/words.ts'

/** Fewest digits of a phone number that is looked up. */
const DIGITS_MIN = 9

interface KnownCustomerProps {
  readonly phone: string
  /** Receives the name of the customer, where the form has none yet. */
  readonly onName: ((name: string) => void) | undefined
}

/** Says who has ordered with a phone number before, and how it ended. Shows nothing for a new number. */
export function KnownCustomer({ phone, onName }: KnownCustomerProps) {
  const { storeId, can } = useStore()
  const typed = useDebounced(phone.replace(/[^\d+]/g, ''))
  const { data: customer } = useQuery({
    queryKey: ['customers', storeId, 'phone', typed],
    enabled: can('listCustomers') && typed.replace(/\D/g, '').length >= DIGITS_MIN,
    staleTime: 30_000,
    retry: false,
    queryFn: async () => {
      const params = { path: { storeId }, query: { phone: typed, limit: 1 } }
      const { data } = await unwrap(api.GET('/v1/stores/{storeId}/customers', { params }))
      return data[0] ?? null
    },
  })
  useEffect(() => {
    if (customer) onName?.(customer.name)
  }, [customer])
  if (!customer) return null
  const { orders, delivered, returned } = customer.outcomes
  return (
    <p class={returned > delivered ? 'notice wait' : 'notice'} role="status">
      <Name inline>{customer.name}</Name>
      {': '}
      {[
        t('order.knownOrders', { count: orders }),
        delivered > 0 && t('order.knownDelivered', { count: delivered }),
        returned > 0 && t('order.knownReturned', { count: returned }),
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  )
}
