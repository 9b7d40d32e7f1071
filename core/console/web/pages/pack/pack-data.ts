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

/** Result with a number of its own, since the same code may be scanned again. A code whose recording failed has its error. */
export type ShownResult = { readonly number: number; readonly step: Step } & (
  | { readonly result: ScanResult }
  | { readonly code: string; readonly error: unknown }
)

/** Codes of one request. */
const CODES_MAX = 100
let last = 0

/**
 * Returns the results of this page, and a function that records codes for a step. Codes that wait are sent one after the other. The step is
 * part of each request, since another may have been chosen when its turn comes.
 */
export function useScans() {
  const { storeId } = useStore()
  const [results, setResults] = useState<readonly ShownResult[]>([])
  const show = (found: readonly ShownResult[]) => setResults((before) => [...found.toReversed(), ...before].slice(0, SHOWN))
  const numbered = () => {
    last += 1
    return last
  }
  const { mutate, isPending } = useMutation({
    scope: { id: 'scans' },
    mutationFn: ({ step, codes }: { readonly step: Step; readonly codes: string[] }) => scan(storeId, step, codes),
    onSuccess: (found, { step }) => show(found.map((result) => ({ number: numbered(), step, result }))),
    onError: (error, { step, codes }) => show(codes.map((code) => ({ number: numbered(), step, code, error }))),
  })
  const record = (step: Step, codes: readonly string[]) => {
    for (let at = 0; at < codes.length; at += CODES_MAX) mutate({ step, codes: codes.slice(at, at + CODES_MAX) })
  }
  return { results, record, isPending }
}

async function scan(storeId: string, step: Step, codes: string[]): Promise<readonly ScanResult[]> {
  const params = { path: { storeId } }
  if (step === 'pack') return (await unwrap(api.POST('/v1/stores/{storeId}/parcels/pack', { params, body: { codes } }))).data
  if (step === 'handOver') return (await unwrap(api.POST('/v1/stores/{storeId}/parcels/hand-over', { params, body: { codes } }))).data
  return (await unwrap(api.POST('/v1/stores/{storeId}/returns/receive', { params, body: { codes, condition: step } }))).data
}
