import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { GatewayPayment } from '../payments.model.ts'
import { expiryOf, nextPollAt } from '../schedule.ts'
import { isUnderWay } from '../statuses.ts'

/** Failure used for a gateway that is switched off or disconnected. */
export const GATEWAY_OFF = new AdapterFailure('unavailable', false, 'The gateway is switched off or disconnected, so it cannot be polled.')

/** Returns the time of the next poll after a poll now; null when polling has ended. `hasResponded` means that the gateway responded. */
export function nextPollAfter(context: Context, payment: GatewayPayment, hasResponded: boolean): string | null {
  const now = Date.now()
  const isRetriable = canRetry(context, payment) && !(hasResponded && expiryOf(payment) <= now)
  return nextPollAt(payment, now, isUnderWay(payment.status) || isRetriable)
}

/** Returns an adapter's failure as a value. Rethrows any other error. */
export function asFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  throw error
}

/** Returns the expiry and the next poll of a payment whose gateway did not respond when it expired. */
export function expiryNow(payment: Parameters<typeof nextPollAt>[0]): { readonly expiresAt: string; readonly readAt: string | null } {
  const now = Date.now()
  const expiresAt = new Date(Math.min(now, expiryOf(payment))).toISOString()
  return { expiresAt, readAt: nextPollAt({ ...payment, expiresAt }, now) }
}

/** Returns whether the payer can retry a failed payment on its open page, at a gateway that sends no webhook. */
function canRetry({ plugins }: Context, { status, gateway, expiresAt }: GatewayPayment): boolean {
  if (status !== 'failed' || expiresAt === null) return false
  const adapter = plugins.find('payment', gateway)?.adapter
  return adapter !== undefined && !adapter.webhook && !adapter.settle
}
