import { useQuery } from '@tanstack/preact-query'
import { readCarrierLabels } from '../../api/carriers.ts'
import { useStore } from '../../session/store.tsx'

const STALE_MS = 10 * 60_000

/** Returns a function that names a carrier by its slug. Without the list of adapters it returns the slug. */
export function useCarrierNames(): (slug: string) => string {
  const { can } = useStore()
  const { data } = useQuery({
    queryKey: ['carriers', 'labels'],
    queryFn: readCarrierLabels,
    enabled: can('listAdapters'),
    staleTime: STALE_MS,
  })
  return (slug) => data?.get(slug) ?? slug
}
