import type { PaymentRow } from './payments.queries.ts'
import { isUnderWay } from './statuses.ts'

const MINUTE_MS = 60_000
/** After the first reading comes the next. Gateways that tell their news are asked as well: news get lost. */
const MINUTES = [1, 1, 2, 3, 5, 10, 15, 30, 60]
/** One that says nothing of an end of its own ends after so long. */
export const LIFE_MS = 24 * 60 * MINUTE_MS
/** A checkout of which the gateway never said how it is called. */
export const UNBORN_MS = 30 * MINUTE_MS
/** A page that lives so shortly is asked at least so often: what is paid there may have to be confirmed before it is given back. */
const SHORT_MS = UNBORN_MS + 15 * MINUTE_MS
const SHORT_MINUTES = 2

/** When it is over unless somebody pays. */
export const endOf = ({ status, createdAt, expiresAt }: Pick<PaymentRow, 'status' | 'createdAt' | 'expiresAt'>): number =>
  expiresAt ? Date.parse(expiresAt) : Date.parse(createdAt) + (status === 'created' ? UNBORN_MS : LIFE_MS)

/** When the gateway is asked next; null where there is nothing more to ask. */
export function nextRead(payment: Pick<PaymentRow, 'status' | 'reads' | 'createdAt' | 'expiresAt'>, now: number): string | null {
  if (!isUnderWay(payment.status)) return null
  const end = endOf(payment)
  const most = payment.expiresAt && end - Date.parse(payment.createdAt) <= SHORT_MS ? SHORT_MINUTES : 60
  const usual = now + Math.min(MINUTES[payment.reads] ?? most, most) * MINUTE_MS
  return new Date(end > now ? Math.min(usual, end + MINUTE_MS) : now + MINUTE_MS).toISOString()
}
