import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import type { AtGateway } from '../payments.model.ts'
import { endOf, nextRead } from '../schedule.ts'
import { isUnderWay } from '../statuses.ts'

/** What a gateway that is not there answers. */
export const OFF = new AdapterFailure('unavailable', false, 'The gateway is switched off, or not connected any more: nobody can be asked.')

/** When a gateway that was asked now is asked next; null where there is nothing more to ask. `hasSaid`: it answered. */
export function nextReading(context: Context, payment: AtGateway, hasSaid: boolean): string | null {
  const now = Date.now()
  const isOpenStill = canBeTriedAgain(context, payment) && !(hasSaid && endOf(payment) <= now)
  return nextRead(payment, now, isUnderWay(payment.status) || isOpenStill)
}

/** A gateway's no, or its silence. What is our own fault is thrown. */
export function asFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  throw error
}

/** When a payment ends whose gateway was silent as its end came: now, and who reads it next looks whether the gateway answers by then. */
export function endingNow(payment: Parameters<typeof nextRead>[0]): { readonly expiresAt: string; readonly readAt: string | null } {
  const now = Date.now()
  const expiresAt = new Date(Math.min(now, endOf(payment))).toISOString()
  return { expiresAt, readAt: nextRead({ ...payment, expiresAt }, now) }
}

/** Whose card was declined may take another on the same page, as long as that is open, and some gateways tell nobody of it. */
function canBeTriedAgain({ plugins }: Context, { status, gateway, expiresAt }: AtGateway): boolean {
  if (status !== 'failed' || expiresAt === null) return false
  const adapter = plugins.find('payment', gateway)?.adapter
  return adapter !== undefined && !adapter.webhook && !adapter.settle
}
