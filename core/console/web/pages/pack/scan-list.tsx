import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { Code, Moment, Money, Name } from '../../ui/values.tsx'
import { t } from '../../words/words.ts'
import type { ScanResult, ShownResult } from './pack-data.ts'

const toneOf = { done: 'ok', done_before: 'wait', refused: 'bad' } as const

/** Results of the scans, the newest first. The newest is read aloud. */
export const ScanList = ({ results }: { readonly results: readonly ShownResult[] }) => (
  <>
    <p class="visually-hidden" role="status">
      {results[0] && `${results[0].code}: ${describe(results[0])}`}
    </p>
    <ul class="scans card">
      {results.map((result) => (
        <li key={result.number}>
          <span class={`status ${toneOf[result.outcome]}`}>{describe(result)}</span>
          <ScannedCode result={result} />
          {result.parcel && (
            <>
              <Name inline>{result.parcel.recipientName}</Name>
              <span class="muted">
                <Name inline>{result.parcel.cityName}</Name>
              </span>
              <Money amount={result.parcel.codAmount} />
            </>
          )}
          {result.outcome === 'done_before' && result.at !== null && (
            <span class="muted small">
              <Moment at={result.at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  </>
)

function ScannedCode({ result: { code, parcel } }: { readonly result: ShownResult }) {
  const { storeId, can } = useStore()
  if (!parcel?.orderId || !can('readOrder')) return <Code>{code}</Code>
  return (
    <Link href={`/${storeId}/orders/${parcel.orderId}`}>
      <Code>{code}</Code>
    </Link>
  )
}

function describe({ outcome, reason }: ScanResult): string {
  if (outcome !== 'refused') return t(`pack.${outcome}`)
  return t(`pack.reason.${reason ?? 'unknown'}`)
}
