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
  /** Text that an order keeps of it, the same in all languages. */
  readonly recorded: string
}

function useReasonList() {
  const store = useStore()
  return useQuery({
    queryKey: ['call-reasons', store.storeId],
    staleTime: AN_HOUR_MS,
    enabled: store.can('readCallReasons'),
    queryFn: async () => {
      const path = { storeId: store.storeId }
      return (await unwrap(api.GET('/v1/stores/{storeId}/confirmation/reasons', { params: { path } }))).data
    },
  }).data
}

/** Reads the reasons of the store that explain an outcome. The standard ones are shown in the language of the page. */
export function useCallReasons(outcome: 'cancelled' | 'postponed'): readonly CallReason[] {
  const data = useReasonList()
  return (data?.reasons ?? [])
    .filter(({ outcomes }) => outcomes.includes(outcome))
    .map(({ code, label }) => ({ code, recorded: label, label: (data?.isStandard ? findWord(`callReason.${code}`) : undefined) ?? label }))
}

/** Returns a function that gives the text to record for a reason that was chosen or typed. */
export function useRecordedReason(outcome: 'cancelled' | 'postponed'): (text: string) => string {
  const reasons = useCallReasons(outcome)
  return (text) => reasons.find(({ label }) => label === text)?.recorded ?? text
}

/** Returns a function that shows a recorded reason: a standard one in the language of the page, any other as it was written. */
export function useReasonText(): (reason: string) => string {
  const data = useReasonList()
  return (reason) => {
    const standard = data?.isStandard ? data.reasons.find(({ label }) => label === reason) : undefined
    return (standard && findWord(`callReason.${standard.code}`)) ?? reason
  }
}
