import type { Context } from '../../context.ts'
import { AdapterFailure } from '../../platform/gateway/failure.ts'
import type { AtGateway } from './payments.model.ts'
import { endOf, nextRead } from './schedule.ts'
import { isUnderWay } from './statuses.ts'

/** What a gateway that is not there answers. */
export const OFF = new AdapterFailure('unavailable', false, 'The gateway is switched off, or not connected any more: nobody can be asked.')

/** When a gateway that was asked now is asked next; null where there is nothing more to ask. `hasSaid`: it answered. */
export function nextReading(context: Context, payment: AtGateway, hasSaid: boolean): string | null {
  const now = Date.now()
  const isOpenStill = canBeTriedAgain(context, payment) && !(hasSaid && endOf(payment) <= now)
  return nextRead(payment, now, isUnderWay(payment.status) || isOpenStill)
}

/** Whose card was declined may take another on the same page, as long as that is open, and some gateways tell nobody of it. */
function canBeTriedAgain({ plugins }: Context, { status, gateway, expiresAt }: AtGateway): boolean {
  if (status !== 'failed' || expiresAt === null) return false
  const adapter = plugins.find('payment', gateway)?.adapter
  return adapter !== undefined && !adapter.webhook && !adapter.settle
}
