import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStoreChanges } from '../../api/live.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'
import { t } from '../../words/words.ts'
import { deskKey } from './desk-key.ts'

/** Milliseconds between two readings without a change: orders also become due by the clock. */
const POLL_MS = 20_000
/** Topics of changes that the counts follow. */
const topics = ['order']
const keyOf = (storeId: string) => deskKey(storeId, 'counts')

/** Reads how many orders wait for a call, and the agent's calls of today. */
export function useCounts() {
  const store = useStore()
  return useQuery({
    queryKey: keyOf(store.storeId),
    enabled: store.can('countConfirmations'),
    refetchInterval: POLL_MS,
    queryFn: async () => (await unwrap(api.GET('/v1/orders/confirmation/counts', { params: { query: { storeId: store.storeId } } }))).data,
  })
}

interface CountsProps {
  /** Order on the desk. Another one means an outcome or a lease, so that the counts are read anew. */
  readonly orderId: string | undefined
}

/** Shows what waits now and later, and what the agent has done today. Follows the work of colleagues. */
export function Counts({ orderId }: CountsProps) {
  const { storeId } = useStore()
  const { data } = useCounts()
  const refresh = useStoreChanges(storeId, { topics, onChange: () => void queries.invalidateQueries({ queryKey: keyOf(storeId) }) })
  useEffect(refresh, [refresh, storeId, orderId])
  if (!data) return <p class="desk-counts small muted" />
  const { due, later, mine } = data
  const texts = [
    ...(due > 0 ? [t('desk.due', { count: due })] : []),
    ...(later > 0 ? [t('desk.later', { count: later })] : []),
    ...(mine.calls > 0 ? [t('desk.myCalls', { count: mine.calls })] : []),
    ...(mine.outcomes.confirmed > 0 ? [t('desk.myConfirmed', { count: mine.outcomes.confirmed })] : []),
  ]
  return <p class="desk-counts small muted">{texts.join(' · ')}</p>
}
