import type { PaymentRow } from './payments.queries.ts'
import { isUnderWay } from './statuses.ts'

const MINUTE_MS = 60_000
/** After the first reading comes the next. Gateways that tell their news are asked as well: news get lost. */
const MINUTES = [1, 1, 2, 3, 5, 10, 15, 30, 60]
/** One that says nothing of an end of its own ends after so long. */
export const LIFE_MS = 24 * 60 * MINUTE_MS
/** A checkout of which the gateway never said how it is called. */
export const UNBORN_MS = 30 * MINUTE_MS

/** When it is over unless somebody pays. */
export const endOf = ({ status, createdAt, expiresAt }: Pick<PaymentRow, 'status' | 'createdAt' | 'expiresAt'>): number =>
  expiresAt ? Date.parse(expiresAt) : Date.parse(createdAt) + (status === 'created' ? UNBORN_MS : LIFE_MS)

/** When the gateway is asked next; null where there is nothing more to ask. */
export function nextRead(payment: Pick<PaymentRow, 'status' | 'reads' | 'createdAt' | 'expiresAt'>, now: number): string | null {
  if (!isUnderWay(payment.status)) return null
  const usual = now + (MINUTES[payment.reads] ?? 60) * MINUTE_MS
  const end = endOf(payment)
  return new Date(end > now ? Math.min(usual, end + MINUTE_MS) : now + MINUTE_MS).toISOString()
}
