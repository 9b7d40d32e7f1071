import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import type { AtGateway } from '../payments.model.ts'
import { endOf, nextRead } from '../schedule.ts'
import { isUnderWay } from '../statuses.ts'

/** Failure used for a gateway that is switched off or disconnected. */
export const OFF = new AdapterFailure('unavailable', false, 'The gateway is switched off or disconnected, so it cannot be polled.')

/** Returns the time of the next poll after a poll now; null when polling has ended. `hasResponded` means that the gateway responded. */
export function nextReading(context: Context, payment: AtGateway, hasResponded: boolean): string | null {
  const now = Date.now()
  const isRetriable = canRetry(context, payment) && !(hasResponded && endOf(payment) <= now)
  return nextRead(payment, now, isUnderWay(payment.status) || isRetriable)
}

/** Returns an adapter's failure as a value. Rethrows any other error. */
export function asFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  throw error
}

/** Returns the expiry and the next poll of a payment whose gateway did not respond when it expired. */
export function endingNow(payment: Parameters<typeof nextRead>[0]): { readonly expiresAt: string; readonly readAt: string | null } {
  const now = Date.now()
  const expiresAt = new Date(Math.min(now, endOf(payment))).toISOString()
  return { expiresAt, readAt: nextRead({ ...payment, expiresAt }, now) }
}

/** Returns whether the payer can retry a failed payment on its open page, at a gateway that sends no webhook. */
function canRetry({ plugins }: Context, { status, gateway, expiresAt }: AtGateway): boolean {
  if (status !== 'failed' || expiresAt === null) return false
  const adapter = plugins.find('payment', gateway)?.adapter
  return adapter !== undefined && !adapter.webhook && !adapter.settle
}
