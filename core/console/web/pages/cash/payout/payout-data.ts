import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/preact-query'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { queries } from '../../../api/queries.ts'
import { useStore } from '../../../session/store.tsx'
import { cashKey, refreshCash } from '../cash-data.ts'

/** Payout of a carrier with its lines, as it compares with the ledger. */
export type PayoutDetail = Schemas['PayoutDetail']
/** Line of a payout. */
export type PayoutLine = PayoutDetail['lines'][number]
/** Result of comparing a line. */
export type Outcome = PayoutLine['outcome']
/** Names a payout: the carrier's slug, and the id. */
export interface PayoutName {
  readonly carrier: string
  readonly id: string
}

const PAGE = 100

/** Reads a payout with its lines of one outcome, page by page. Each page has the totals of the whole payout. */
export function usePayout({ carrier, id }: PayoutName, outcome: Outcome | 'all') {
  const { storeId } = useStore()
  return useInfiniteQuery({
    queryKey: cashKey(storeId, 'payout', carrier, id, outcome),
    placeholderData: keepPreviousData,
    // The first page asks the carrier too, which counts its requests.
    refetchOnWindowFocus: false,
    initialPageParam: 0,
    getNextPageParam: ({ lines }: PayoutDetail) => (lines.length < PAGE ? undefined : lines.at(-1)?.line),
    queryFn: async ({ pageParam }) => {
      const query = { limit: PAGE, after: pageParam, ...(outcome !== 'all' && { outcome }) }
      const params = { path: { storeId, key: carrier, batchId: id }, query }
      return (await unwrap(api.GET('/v1/stores/{storeId}/integrations/{key}/encaissements/batches/{batchId}', { params }))).data
    },
  })
}

const steps = {
  confirm: '/v1/stores/{storeId}/integrations/{key}/encaissements/batches/confirm',
  reverse: '/v1/stores/{storeId}/integrations/{key}/encaissements/batches/reverse',
} as const

/** Confirms that a payout arrived, or reverses that. Neither does anything a second time. */
export function usePayoutStep({ carrier, id }: PayoutName, step: keyof typeof steps, onDone: () => void) {
  const { storeId } = useStore()
  return useMutation({
    mutationFn: () => unwrap(api.POST(steps[step], { params: { path: { storeId, key: carrier } }, body: { batchId: id } })),
    onSuccess: onDone,
    onSettled: async () => {
      await refreshCash(storeId)
      await queries.invalidateQueries({ queryKey: ['order'] })
    },
  })
}
