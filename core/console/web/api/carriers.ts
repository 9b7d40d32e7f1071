import { useQuery } from '@tanstack/preact-query'
import { useStore } from '../session/store.tsx'
import { api } from './client.ts'
import { unwrap } from './errors.ts'

const NAMES_STALE_MS = 10 * 60_000

/**
 * Returns a function that names a carrier by its slug. It returns the slug while the list of adapters is not read, and for a user who may
 * not read it. A store may give its connection another name. `isNeeded` is false while no name is shown.
 */
export function useCarrierNames(isNeeded = true): (slug: string) => string {
  const { can } = useStore()
  const { data } = useQuery({
    queryKey: ['adapters', 'labels', 'carrier'],
    queryFn: () => readAdapterLabels('carrier'),
    enabled: isNeeded && can('listAdapters'),
    staleTime: NAMES_STALE_MS,
  })
  return (slug) => data?.get(slug) ?? slug
}

/** Reads the names of all adapters of a kind, by their slug. */
export async function readAdapterLabels(kind: 'carrier' | 'payment'): Promise<ReadonlyMap<string, string>> {
  const { data } = await unwrap(api.GET('/v1/adapters', { params: { query: { kind } } }))
  return new Map(data.map(({ key, label }) => [key, label]))
}
