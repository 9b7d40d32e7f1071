import { useQuery } from '@tanstack/preact-query'
import { useStore } from '../session/store.tsx'
import { findWord } from '../words/words.ts'
import { api } from './client.ts'
import { unwrap } from './errors.ts'

const AN_HOUR_MS = 60 * 60_000

/** Reason of the store for the outcome of a call. */
export interface CallReason {
  readonly code: string
  readonly label: string
}

/** Reads the reasons of the store that explain an outcome. The standard ones are shown in the language of the page. */
export function useCallReasons(outcome: 'cancelled' | 'postponed'): readonly CallReason[] {
  const store = useStore()
  const { data } = useQuery({
    queryKey: ['call-reasons', store.storeId],
    staleTime: AN_HOUR_MS,
    enabled: store.can('readCallReasons'),
    queryFn: async () => {
      const path = { storeId: store.storeId }
      return (await unwrap(api.GET('/v1/stores/{storeId}/confirmation/reasons', { params: { path } }))).data
    },
  })
  return (data?.reasons ?? [])
    .filter(({ outcomes }) => outcomes.includes(outcome))
    .map(({ code, label }) => ({ code, label: (data?.isStandard ? findWord(`callReason.${code}`) : undefined) ?? label }))
}
