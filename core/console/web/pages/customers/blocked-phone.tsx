import { useMutation, useQuery } from '@tanstack/preact-query'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'
import { describeFailure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toast.tsx'
import { PhoneLink } from '../../ui/values.tsx'
import { formatPhone } from '../../words/format.ts'
import { t } from '../../words/words.ts'

/** Shows a phone number, and blocks or unblocks it. Orders of a blocked number are refused in the storefront. */
export function BlockedPhone({ phone }: { readonly phone: string }) {
  const { storeId, can } = useStore()
  const key = ['blocks', storeId, phone]
  const path = { storeId }
  const { data: block } = useQuery({
    queryKey: key,
    enabled: can('listBlocks'),
    queryFn: async () => {
      const params = { path, query: { phone, limit: 1 } }
      const { data } = await unwrap(api.GET('/v1/stores/{storeId}/integrations/security/block', { params }))
      return data.find(({ isActive }) => isActive) ?? null
    },
  })
  const toggle = useMutation({
    mutationFn: async (blockId: string | undefined) => {
      if (blockId === undefined)
        return unwrap(api.POST('/v1/stores/{storeId}/integrations/security/block', { params: { path }, body: { phone } }))
      return unwrap(api.DELETE('/v1/stores/{storeId}/integrations/security/block/{blockId}', { params: { path: { ...path, blockId } } }))
    },
    onSuccess: (_, blockId) =>
      showToast(t(blockId === undefined ? 'customers.nowBlocked' : 'customers.nowFree', { phone: formatPhone(phone) })),
    onError: (error) => showToast(describeFailure(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  return (
    <span class="row">
      <PhoneLink phone={phone} />
      {block && <span class="status bad">{t('customers.blocked')}</span>}
      {block !== undefined && can(block === null ? 'block' : 'unblock') && (
        <button type="button" class="button quiet small-button" disabled={toggle.isPending} onClick={() => toggle.mutate(block?.id)}>
          {t(block === null ? 'customers.block' : 'customers.unblock')}
        </button>
      )}
    </span>
  )
}
