import { useQuery } from '@tanstack/preact-query'
import { useStore } from '../session/store.tsx'
import { api } from './client.ts'
import { unwrap } from './errors.ts'

const NAMES_STALE_MS = 10 * 60_000

/**
 * Returns a function that names a carrier by its slug. It returns the slug while the list of adapters is not read, and for a user who may
 * not read it. A store may give its connection another name. `isNeeded` is false while no name is shown.
 */
export const useCarrierNames = (isNeeded = true): ((slug: string) => string) => nameIn(useAdapterLabels('carrier', { isNeeded }))

/** Returns a function that names a carrier or a gateway by its slug, as {@link useCarrierNames} does. */
export const useHolderNames = (): ((slug: string) => string) => nameIn(useAdapterLabels('carrier'), useAdapterLabels('payment'))

type Labels = ReadonlyMap<string, string> | undefined

const nameIn =
  (...lists: readonly Labels[]) =>
  (slug: string) =>
    lists.map((labels) => labels?.get(slug)).find((label) => label !== undefined) ?? slug

function useAdapterLabels(kind: 'carrier' | 'payment', { isNeeded = true } = {}): Labels {
  const { can } = useStore()
  const read = async () => {
    const { data } = await unwrap(api.GET('/v1/adapters', { params: { query: { kind } } }))
    return new Map(data.map(({ key, label }) => [key, label]))
  }
  return useQuery({
    queryKey: ['adapters', 'labels', kind],
    queryFn: read,
    enabled: isNeeded && can('listAdapters'),
    staleTime: NAMES_STALE_MS,
  }).data
}
