import { useQuery } from '@tanstack/preact-query'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { queries } from '../../api/queries.ts'
import { useStore } from '../../session/store.tsx'
import { t } from '../../words/words.ts'
import { deskKey } from './desk-key.ts'

const POLL_MS = 20_000
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

/** Reads the counts anew, as after an outcome. */
export const refreshCounts = (storeId: string) => void queries.invalidateQueries({ queryKey: keyOf(storeId) })

/** Shows what waits now and later, and what the agent has done today. */
export function Counts() {
  const { data } = useCounts()
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
