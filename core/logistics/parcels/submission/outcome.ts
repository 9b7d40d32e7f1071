import type { Sent } from '../../../../plugins/carrier/model.ts'
import { AdapterFailure, CIRCUIT_OPEN, isThrottled } from '../../../integrations/egress/adapter-failure.ts'

/** What came of handing a parcel over. */
export type Outcome =
  | { readonly kind: 'taken'; readonly sent: Sent }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | NotSent
  | { readonly kind: 'unknown'; readonly message: string }

interface NotSent {
  readonly kind: 'not_sent'
  readonly code: string
  readonly message: string
  readonly waitMs: number
  /** Not even asked for: it counts as no attempt. */
  readonly heldBack?: boolean
}

/** `sent`: whether what failed may have handed the parcel over; what is asked before that never has. */
export function outcomeOf(error: unknown, options: { readonly sent?: boolean } = {}): Outcome {
  if (!(error instanceof AdapterFailure)) throw error
  const { reason, message, upstream } = error
  const said = upstream.message ? `${message} (${upstream.message})` : message
  if (reason === 'refused' || reason === 'unauthorized' || reason === 'not_found')
    return { kind: 'refused', code: upstream.code ?? reason, message: said }
  const waitMs = (upstream.retryAfterSeconds ?? 30) * 1000
  if (reason === 'rate_limited') return { kind: 'not_sent', code: 'rate_limited', message: said, waitMs, heldBack: true }
  if (isThrottled(error)) return { kind: 'not_sent', code: CIRCUIT_OPEN, message: said, waitMs, heldBack: true }
  if (options.sent ?? error.wasSent) return { kind: 'unknown', message: said }
  return { kind: 'not_sent', code: 'carrier_unavailable', message: said, waitMs: 0 }
}
