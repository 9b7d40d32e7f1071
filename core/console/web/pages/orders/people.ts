import { useQuery } from '@tanstack/preact-query'
import { useCarrierNames } from '../../api/carriers.ts'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'

/** Member or carrier in a list of choices. */
export interface Choice {
  readonly id: string
  readonly name: string
}

const PAGE = 100
const STALE_MS = 5 * 60_000

/** Members whom orders can be assigned to. Empty for a user who may not see the members. */
export function useAgents(): readonly Choice[] {
  const { storeId, can } = useStore()
  const read = async () => {
    const params = { path: { storeId }, query: { limit: PAGE } }
    const { data } = await unwrap(api.GET('/v1/stores/{storeId}/members', { params }))
    return data.filter(({ role }) => role !== 'viewer').map(({ userId, name }) => ({ id: userId, name }))
  }
  return useQuery({ queryKey: ['agents', storeId], queryFn: read, staleTime: STALE_MS, enabled: can('listMembers') }).data ?? []
}

/** Carriers that the store has enabled, by their slug. Empty for a user who may not see the connections. */
export function useCarriers(): readonly Choice[] {
  const { storeId, can } = useStore()
  const read = async () => {
    const params = { path: { storeId }, query: { limit: PAGE } }
    const { data } = await unwrap(api.GET('/v1/stores/{storeId}/integrations', { params }))
    return data.filter(({ kind, enabled }) => kind === 'carrier' && enabled)
  }
  const { data = [] } = useQuery({ queryKey: ['carriers', storeId], queryFn: read, staleTime: STALE_MS, enabled: can('listIntegrations') })
  const nameOf = useCarrierNames(data.some(({ name }) => name === ''))
  return data.map(({ key, name }) => ({ id: key, name: name || nameOf(key) }))
}
