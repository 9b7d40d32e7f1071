import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'

/** Result of one scanned code. */
export type ScanResult = Schemas['ParcelScanResult']
/** Step that a scan records: packed, handed over to the courier, or come back in good condition or damaged. */
export type Step = 'pack' | 'handOver' | 'good' | 'damaged'

/** Results that the page keeps in view, the newest first. */
const SHOWN = 100

/** Result with a number of its own, since the same code may be scanned again. */
export interface ShownResult extends ScanResult {
  readonly number: number
}

/** Returns the results of this page, and a function that records codes for a step. Codes that wait are sent one after the other. */
export function useScans(step: Step) {
  const { storeId } = useStore()
  const [results, setResults] = useState<readonly ShownResult[]>([])
  const record = useMutation({
    scope: { id: 'scans' },
    mutationFn: (codes: string[]) => scan(storeId, step, codes),
    onSuccess: (found) =>
      setResults((before) => {
        const first = (before[0]?.number ?? 0) + 1
        return [...found.map((result, at) => ({ ...result, number: first + at })).toReversed(), ...before].slice(0, SHOWN)
      }),
  })
  return { results, record, clear: () => setResults([]) }
}

async function scan(storeId: string, step: Step, codes: string[]): Promise<readonly ScanResult[]> {
  const params = { path: { storeId } }
  if (step === 'pack') return (await unwrap(api.POST('/v1/stores/{storeId}/parcels/pack', { params, body: { codes } }))).data
  if (step === 'handOver') return (await unwrap(api.POST('/v1/stores/{storeId}/parcels/hand-over', { params, body: { codes } }))).data
  return (await unwrap(api.POST('/v1/stores/{storeId}/returns/receive', { params, body: { codes, condition: step } }))).data
}
