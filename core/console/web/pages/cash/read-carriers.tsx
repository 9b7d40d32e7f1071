import { useMutation } from '@tanstack/preact-query'
import { useHolderNames } from '../../api/carriers.ts'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { type Holder, refreshCash } from './cash-data.ts'

/** Button that asks every carrier in use for the payouts that it has made. A carrier that does not answer is named. */
export function ReadCarriersButton({ holders }: { readonly holders: readonly Holder[] }) {
  const { storeId } = useStore()
  const nameOf = useHolderNames()
  const carriers = [...new Set(holders.filter(({ kind, enabled }) => kind === 'carrier' && enabled).map(({ key }) => key))]
  const read = useMutation({
    mutationFn: async () => {
      const asked = carriers.map((key) => {
        const params = { path: { storeId, key } }
        return unwrap(api.POST('/v1/stores/{storeId}/integrations/{key}/sync/cashin', { params }))
      })
      const answers = await Promise.allSettled(asked)
      return carriers.filter((_, at) => answers[at]?.status === 'rejected')
    },
    onSuccess: (silent) =>
      showToast(
        silent.length === 0 ? t('cash.readDone') : t('cash.readFailed', { count: silent.length, names: silent.map(nameOf).join(', ') }),
      ),
    onSettled: () => refreshCash(storeId),
  })
  if (carriers.length === 0) return null
  return (
    <button type="button" class="button" disabled={read.isPending} aria-busy={read.isPending} onClick={() => read.mutate()}>
      {t('cash.readCarriers')}
    </button>
  )
}
