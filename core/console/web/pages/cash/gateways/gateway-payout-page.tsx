import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useHolderNames } from '../../../api/carriers.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Code, Day, Money } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { cashKey } from '../cash-data.ts'
import { cashPath } from '../paths.ts'
import { AcceptDialog } from './accept-line.tsx'
import { toneOfGatewayStatus } from './gateway-payouts.tsx'

/** Line of a gateway's transfer. */
export type GatewayLine = Schemas['GatewayPayoutLine']
const PAGE = 50
const toneOfLine = { open: 'go', waiting: 'wait', settled: 'ok', accepted: 'over' } as const

/** Shows a transfer of a gateway with its lines. Lines that wait can be accepted with a reason. */
export function GatewayPayoutPage({ id }: { readonly id: string }) {
  const { storeId } = useStore()
  const nameOf = useHolderNames()
  const path = { storeId, payoutId: id }
  const {
    data: payout,
    error,
    isPending,
  } = useQuery({
    queryKey: cashKey(storeId, 'gateway-payout', id),
    queryFn: async () => (await unwrap(api.GET('/v1/stores/{storeId}/payouts/{payoutId}', { params: { path } }))).data,
  })
  return (
    <main class="page cash" aria-busy={isPending}>
      <Link class="back-link" href={cashPath(storeId)}>
        <Icon name="back" size={16} />
        {t('cash.back')}
      </Link>
      <div class="page-head">
        <h1>{t('cash.gatewayPayout', { gateway: payout ? nameOf(payout.gateway) : '' })}</h1>
      </div>
      {error && <Failure error={error} />}
      {isPending && <span class="skeleton" />}
      {payout && (
        <p class="row wrap">
          <span class={`status ${toneOfGatewayStatus[payout.status]}`}>{t(`cash.gatewayStatus.${payout.status}`)}</span>
          <Day at={payout.madeAt} />
          <Money amount={payout.amount} currency={payout.currency} />
          <Code>{payout.externalId}</Code>
        </p>
      )}
      <Lines payoutId={id} />
    </main>
  )
}

function Lines({ payoutId }: { readonly payoutId: string }) {
  const { storeId } = useStore()
  const [accepting, setAccepting] = useState<GatewayLine | null>(null)
  const list = useInfiniteQuery({
    queryKey: cashKey(storeId, 'gateway-payout', payoutId, 'lines'),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) }
      return unwrap(api.GET('/v1/stores/{storeId}/payouts/{payoutId}/lines', { params: { path: { storeId, payoutId }, query } }))
    },
  })
  const lines = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section class="cash-section" aria-busy={list.isPending}>
      {list.error && <Failure error={list.error} />}
      <ul class="gateway-lines card">
        {lines.map((line) => (
          <Line key={line.id} line={line} onAccept={() => setAccepting(line)} />
        ))}
      </ul>
      {list.hasNextPage && (
        <button type="button" class="button more-rows" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('cash.more')}
        </button>
      )}
      {accepting && <AcceptDialog payoutId={payoutId} line={accepting} onClose={() => setAccepting(null)} />}
    </section>
  )
}

function Line({ line, onAccept }: { readonly line: GatewayLine; readonly onAccept: () => void }) {
  const { storeId, can } = useStore()
  const { kind, state, net, currency, orderId, externalId, message, reason } = line
  return (
    <li>
      <span>
        {t(`cash.kind.${kind}`)}{' '}
        {orderId !== null && can('readOrder') ? (
          <Link href={`/${storeId}/orders/${orderId}`}>
            <Code>{externalId}</Code>
          </Link>
        ) : (
          <Code>{externalId}</Code>
        )}
        {(reason ?? message) !== null && (
          <span class="small muted" dir="auto">
            {' '}
            {reason ?? message}
          </span>
        )}
      </span>
      <span class={`status ${toneOfLine[state]}`}>{t(`cash.lineState.${state}`)}</span>
      <Money amount={net} currency={currency} />
      {state === 'waiting' && can('acceptGatewayPayoutLine') && (
        <button type="button" class="button" onClick={onAccept}>
          {t('cash.accept')}
        </button>
      )}
    </li>
  )
}
