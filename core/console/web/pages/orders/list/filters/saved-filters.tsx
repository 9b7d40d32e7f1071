import { useMutation, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../../../api/client.ts'
import { unwrap } from '../../../../api/errors.ts'
import { queries } from '../../../../api/queries.ts'
import { useStore } from '../../../../session/store.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { describeFailure, Failure, problemOf } from '../../../../ui/failure.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { readForm } from '../../../../ui/form/form.ts'
import { showToast } from '../../../../ui/toast.tsx'
import { Name } from '../../../../ui/values.tsx'
import { t } from '../../../../words/words.ts'
import { type OrderFilters, readFilters, writeFilters } from './filters.ts'

const PAGE = 'orders'
const SHOWN = 50
const keyOf = (storeId: string) => ['saved-filters', storeId, PAGE]
const refresh = (storeId: string) => queries.invalidateQueries({ queryKey: keyOf(storeId) })

/** Reads the filters of this list that the user saved, and those shared in the store. */
function useSavedFilters() {
  const { storeId, can } = useStore()
  const read = async () => {
    const params = { path: { storeId }, query: { page: PAGE, limit: SHOWN } }
    return (await unwrap(api.GET('/v1/stores/{storeId}/saved-filters', { params }))).data
  }
  return useQuery({ queryKey: keyOf(storeId), queryFn: read, staleTime: 60_000, enabled: can('listSavedFilters') }).data ?? []
}

/** Returns the saved filter that is in force. */
export function useCurrentSaved(filters: OrderFilters) {
  const query = writeFilters(filters)
  return useSavedFilters().find((saved) => writeFilters(readFilters(saved.query)) === query)
}

interface SavedTabsProps {
  readonly filters: OrderFilters
  readonly hrefOf: (filters: OrderFilters) => string
}

/** Tabs of the saved filters. */
export function SavedTabs({ filters, hrefOf }: SavedTabsProps) {
  const query = writeFilters(filters)
  return useSavedFilters().map(({ id, name, query: saved }) => {
    const wanted = readFilters(saved)
    return (
      <Link key={id} href={hrefOf(wanted)} aria-current={writeFilters(wanted) === query ? 'page' : undefined}>
        <Name>{name}</Name>
      </Link>
    )
  })
}

/** Button that saves the filters in force under a name, or deletes the filter that the user saved them as. Absent without filters. */
export function SaveFilter({ filters }: { readonly filters: OrderFilters }) {
  const { storeId, can } = useStore()
  const [isOpen, setIsOpen] = useState(false)
  const query = writeFilters(filters)
  const saved = useCurrentSaved(filters)
  const remove = useMutation({
    mutationFn: (filterId: string) => {
      const params = { path: { storeId, filterId } }
      return unwrap(api.DELETE('/v1/stores/{storeId}/saved-filters/{filterId}', { params }))
    },
    onError: (error) => showToast(describeFailure(error)),
    onSettled: () => refresh(storeId),
  })
  if (saved)
    return saved.isOwn && can('deleteSavedFilter') ? (
      <button type="button" class="button quiet" onClick={() => remove.mutate(saved.id)} disabled={remove.isPending}>
        {t('orders.deleteFilter')}
      </button>
    ) : null
  if (!can('saveFilter') || query === '') return null
  return (
    <>
      <button type="button" class="button quiet" onClick={() => setIsOpen(true)}>
        {t('orders.saveFilter')}
      </button>
      {isOpen && <SaveFilterSheet query={query} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface SaveFilterSheetProps {
  readonly query: string
  readonly onClose: () => void
}

function SaveFilterSheet({ query, onClose }: SaveFilterSheetProps) {
  const { storeId } = useStore()
  const save = useMutation({
    mutationFn: ({ name = '', isShared }: Readonly<Record<string, string>>) => {
      const body = { page: PAGE, name, query, isShared: isShared === 'on' }
      return unwrap(api.POST('/v1/stores/{storeId}/saved-filters', { params: { path: { storeId } }, body }))
    },
    onSuccess: () => {
      onClose()
      return refresh(storeId)
    },
  })
  return (
    <Dialog title={t('orders.saveFilter')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => save.mutate(readForm(event))}>
        {save.error && <Failure error={save.error} />}
        <Field label={t('orders.filterName')} problem={problemOf(save.error, 'name')}>
          <input name="name" required maxLength={60} autocomplete="off" />
        </Field>
        <label class="check">
          <input type="checkbox" name="isShared" />
          {t('orders.filterShared')}
        </label>
        <div class="row end-row">
          <button type="submit" class="button primary" disabled={save.isPending}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
