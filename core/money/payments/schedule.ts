import type { PaymentRow } from './payments.queries.ts'
import { isUnderWay } from './statuses.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** After the first reading comes the next. Gateways that tell their news are asked as well: news get lost. */
const MINUTES = [1, 1, 2, 3, 5, 10, 15, 30, 60]
/** One that says nothing of an end of its own ends after so long. */
export const LIFE_MS = DAY_MS
/** A checkout of which the gateway never said how it is called. */
export const UNBORN_MS = 30 * MINUTE_MS
/** The payer did his part: some banks take weeks, and so do people. */
const PROCESSING_MS = 30 * DAY_MS
/** A page that lives so shortly is asked at least so often: what is paid there may have to be confirmed before it is given back. */
const SHORT_MS = UNBORN_MS + 15 * MINUTE_MS
const SHORT_MINUTES = 2

/** Past its end a payment is asked for until the gateway answers: the longer that lasts, the more seldom, and not for ever. */
const LATE = { least: 2 * MINUTE_MS, most: 6 * HOUR_MS, part: 1 / 4, forMs: 8 * DAY_MS } as const
/** By then a person is told. */
const SILENT_MS = DAY_MS

type Timed = Pick<PaymentRow, 'status' | 'createdAt' | 'expiresAt'>

/** When its page closes. */
const closesAt = ({ status, createdAt, expiresAt }: Timed): number =>
  expiresAt ? Date.parse(expiresAt) : Date.parse(createdAt) + (status === 'created' ? UNBORN_MS : LIFE_MS)

/** When it is over unless somebody pays. What was paid on its page may arrive long after that has closed. */
export const endOf = (payment: Timed): number =>
  payment.status === 'processing' ? Math.max(closesAt(payment), Date.parse(payment.createdAt) + PROCESSING_MS) : closesAt(payment)

/** Nobody has said in time what became of it. */
export const isDoubtful = (payment: Timed, now: number): boolean =>
  isUnderWay(payment.status) && endOf(payment) + (payment.status === 'processing' ? 0 : SILENT_MS) <= now

/** When the gateway is asked next; null where there is nothing more to ask. */
export function nextRead(payment: Timed & Pick<PaymentRow, 'reads'>, now: number, isAlive = isUnderWay(payment.status)): string | null {
  if (!isAlive) return null
  const end = endOf(payment)
  if (end <= now) return now - end < LATE.forMs ? timeText(now + lateMs(now - end)) : null
  const closes = closesAt(payment)
  const isShort = payment.expiresAt !== null && closes > now && closes - Date.parse(payment.createdAt) <= SHORT_MS
  const most = isShort ? SHORT_MINUTES : 60
  return timeText(Math.min(now + Math.min(MINUTES[payment.reads] ?? most, most) * MINUTE_MS, end + MINUTE_MS))
}

const lateMs = (ms: number) => Math.min(LATE.most, Math.max(LATE.least, ms * LATE.part))
const timeText = (ms: number) => new Date(ms).toISOString()
