import type { Sent } from '../../../../plugins/carrier/model.ts'
import { AdapterFailure, CIRCUIT_OPEN, isThrottled } from '../../../integrations/egress/adapter-failure.ts'

/** Outcome of submitting a parcel. */
export type SubmissionOutcome =
  | { readonly kind: 'taken'; readonly sent: Sent }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | NotSent
  | { readonly kind: 'unknown'; readonly message: string }

interface NotSent {
  readonly kind: 'not_sent'
  readonly code: string
  readonly message: string
  readonly waitMs: number
  /** True when no call was made, so that it does not count as an attempt. */
  readonly isThrottled?: boolean
}

/**
 * Outcome of a failed call; rethrows other errors. `sent` overrides whether the call may have submitted the parcel; calls before the
 * submission never have.
 */
export function submissionOutcomeOf(error: unknown, options: { readonly sent?: boolean } = {}): SubmissionOutcome {
  if (!(error instanceof AdapterFailure)) throw error
  const { reason, message, upstream } = error
  const fullMessage = upstream.message ? `${message} (${upstream.message})` : message
  if (reason === 'refused' || reason === 'unauthorized' || reason === 'not_found')
    return { kind: 'refused', code: upstream.code ?? reason, message: fullMessage }
  const waitMs = (upstream.retryAfterSeconds ?? 30) * 1000
  if (reason === 'rate_limited') return { kind: 'not_sent', code: 'rate_limited', message: fullMessage, waitMs, isThrottled: true }
  if (isThrottled(error)) return { kind: 'not_sent', code: CIRCUIT_OPEN, message: fullMessage, waitMs, isThrottled: true }
  if (options.sent ?? error.wasSent) return { kind: 'unknown', message: fullMessage }
  return { kind: 'not_sent', code: 'carrier_unavailable', message: fullMessage, waitMs: 0 }
}
