import { useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStoreChanges } from '../../api/live.ts'
import { useStore } from '../../session/store.tsx'

/** Kind of thing that waits for a person, with its count. */
export type Attention = Schemas['Attention']

/** Groups of the page, in its order. */
export const groups = ['orders', 'parcels', 'money', 'connections'] as const satisfies readonly Attention['group'][]

/** Milliseconds between two readings without a change: orders also become due by the clock. */
const POLL_MS = 60_000
/** Topics of changes after which something else may wait. */
const topics = ['order', 'parcel', 'payment', 'cash', 'connection', 'store']

/** Reads what waits in the store, and reads it anew when something changes. */
export function useAttention() {
  const { storeId } = useStore()
  const attention = useQuery({
    queryKey: ['attention', storeId],
    refetchInterval: POLL_MS,
    queryFn: async () => (await unwrap(api.GET('/v1/stores/{storeId}/attention', { params: { path: { storeId } } }))).data,
  })
  useStoreChanges(storeId, { topics, onChange: () => void attention.refetch() })
  return attention
}
