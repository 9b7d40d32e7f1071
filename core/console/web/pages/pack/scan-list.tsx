import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { describeFailure } from '../../ui/failure.tsx'
import { Code, Moment, Money, Name } from '../../ui/values.tsx'
import { t } from '../../words/words.ts'
import type { ScanResult, ShownResult } from './pack-data.ts'

const toneOf = { done: 'ok', done_before: 'wait', refused: 'bad' } as const

/** Results of the scans, the newest first. The newest is read aloud. */
export const ScanList = ({ results }: { readonly results: readonly ShownResult[] }) => (
  <>
    <p class="visually-hidden" role="status">
      {results[0] && `${codeOf(results[0])}: ${describe(results[0])}`}
    </p>
    <ul class="scans card">
      {results.map((shown) => (
        <li key={shown.number}>
          <span class={`status ${'result' in shown ? toneOf[shown.result.outcome] : 'bad'}`}>{describe(shown)}</span>
          {'result' in shown ? <Scanned result={shown.result} /> : <Code>{shown.code}</Code>}
        </li>
      ))}
    </ul>
  </>
)

function Scanned({ result: { code, parcel, outcome, at } }: { readonly result: ScanResult }) {
  const { storeId, can } = useStore()
  return (
    <>
      {parcel?.orderId && can('readOrder') ? (
        <Link href={`/${storeId}/orders/${parcel.orderId}`}>
          <Code>{code}</Code>
        </Link>
      ) : (
        <Code>{code}</Code>
      )}
      {parcel && (
        <>
          <Name inline>{parcel.recipientName}</Name>
          <span class="muted">
            <Name inline>{parcel.cityName}</Name>
          </span>
          <Money amount={parcel.codAmount} />
        </>
      )}
      {outcome === 'done_before' && at !== null && (
        <span class="muted small">
          <Moment at={at} />
        </span>
      )}
    </>
  )
}

const codeOf = (shown: ShownResult): string => ('result' in shown ? shown.result.code : shown.code)

function describe(shown: ShownResult): string {
  if (!('result' in shown)) return describeFailure(shown.error)
  const { outcome, reason } = shown.result
  return outcome === 'refused' ? t(`pack.reason.${reason ?? 'unknown'}`) : t(`pack.${outcome}`)
}
