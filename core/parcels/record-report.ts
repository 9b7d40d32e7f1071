import { type CashStatus, cashStatuses, type StatusReport } from '../../plugins/carrier/model.ts'
import { foldStatus } from '../../plugins/carrier/statuses.ts'
import { learnFee } from '../cash/follow-parcel.ts'
import type { Context } from '../context.ts'
import { type Queryable, transaction } from '../data/sql.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { sha256 } from '../lib/crypto.ts'
import { moveParcel } from './move.ts'
import {
  countUnknownStatus,
  findByReference,
  findByTracking,
  insertReport,
  listUnmapped,
  lockParcel,
  type ParcelRow,
  type Report,
  reportKnown,
  settleReport,
  updateParcel,
} from './parcels.queries.ts'
import { transitions } from './transitions.ts'

export interface Recorded {
  readonly received: number
  /** How many moved a parcel or its cash. */
  readonly applied: number
}

/**
 * Takes a carrier's news, oldest first. Each word is kept once; a repetition, one that is older than what moved the parcel, and
 * one that the table of statuses does not know are kept and move nothing. News of parcels that are not ours are left out.
 */
export async function recordReports(
  context: Context,
  account: Account,
  reports: readonly StatusReport[],
  source: string,
): Promise<Recorded> {
  const ordered = [...reports].filter(({ at }) => !Number.isNaN(Date.parse(at))).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  let applied = 0
  for (const report of ordered) {
    const parcel = await parcelOf(context.sql, account, report)
    if (parcel && (await recordReport(context, account, parcel.id, report, source))) applied += 1
  }
  return { received: reports.length, applied }
}

/** By tracking number; by our reference where the callback comes before the answer of the sending. */
export async function parcelOf(sql: Queryable, { row }: Account, { trackingId, reference }: StatusReport): Promise<ParcelRow | undefined> {
  const byTracking = trackingId ? await findByTracking(sql, row.id, trackingId) : undefined
  if (byTracking || !reference) return byTracking
  const byReference = await findByReference(sql, row.projectId, reference)
  return byReference?.carrierAccountId === row.id ? byReference : undefined
}

async function recordReport(context: Context, account: Account, parcelId: string, report: StatusReport, source: string): Promise<boolean> {
  return transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, parcelId)
    if (!parcel) return false
    const at = new Date(report.at).toISOString()
    const said = { carrierStatus: report.carrierStatus ?? null, reason: report.reason ?? null }
    const eventKey = report.eventId ?? sha256(JSON.stringify([at, said, report.cash ?? null]))
    const { projectId, id } = parcel
    if (await reportKnown(tx, { projectId, parcelId: id, eventKey })) return false
    const outcome = await apply(tx, account, parcel, { ...report, at }, source)
    if (report.cash?.fee !== undefined) await learnFee(tx, parcel, report.cash.fee)
    await insertReport(tx, { projectId, parcelId: id, eventKey, source, ...said, at, outcome })
    return outcome === 'applied' || outcome === 'cash'
  })
}

const WAITING_AT_ONCE = 200

/**
 * Reads reports again whose raw status nobody knew, now that somebody said what it means: parcel by parcel, oldest word first, each in
 * its own transaction and by the rules of any report.
 */
export async function applyWaitingReports(context: Context, account: Account, raws: readonly string[], signal: AbortSignal) {
  for (;;) {
    const waiting = await listUnmapped(context.sql, account.row.id, raws, WAITING_AT_ONCE)
    for (const report of waiting) {
      signal.throwIfAborted()
      await transaction(context.sql, async (tx) => {
        const parcel = await lockParcel(tx, report.parcelId)
        if (!parcel) return
        const { carrierStatus, reason, at, source } = report
        const said = { carrierStatus: carrierStatus!, at, ...(reason !== null && { reason }) }
        await settleReport(tx, report, await apply(tx, account, parcel, said, source))
      })
    }
    // The rule may be gone again: then these stay as they are.
    if (waiting.length < WAITING_AT_ONCE || !ruleOf(account, raws[0]!)) return
  }
}

async function apply(tx: Queryable, account: Account, before: ParcelRow, report: StatusReport, source: string): Promise<Report['outcome']> {
  const parcel = await withTracking(tx, before, report)
  const meaning = report.carrierStatus === undefined ? {} : meaningFor(account, report.carrierStatus)
  if (!meaning) {
    await countUnknownStatus(tx, account.row.id, report.carrierStatus!, parcel.id)
    return 'unmapped'
  }
  const cash = report.cash?.status ?? meaning.cash
  const cashMoved = cash !== undefined && cashMoves(parcel.cashStatus, cash)
  if (cashMoved) await updateParcel(tx, parcel.id, { cashStatus: cash })
  const instead: Report['outcome'] = cashMoved ? 'cash' : 'ignored'
  const to = meaning.status
  if (!to) return instead
  if (parcel.lastReportAt !== null && Date.parse(report.at) < Date.parse(parcel.lastReportAt)) return cashMoved ? 'cash' : 'stale'
  if (to === parcel.status) return sameAgain(tx, parcel, report, cashMoved)
  if (!transitions[parcel.status].includes(to)) return cashMoved ? 'cash' : 'impossible'
  const payload = {
    carrierStatus: report.carrierStatus,
    ...(report.reason && { reason: report.reason }),
    ...(meaning.flag && { flag: meaning.flag }),
  }
  const collected = to === 'delivered' && !cash && parcel.cashStatus === 'none' && Number(parcel.codAmount) > 0
  await moveParcel(
    tx,
    { ...parcel, cashStatus: cashMoved ? cash : parcel.cashStatus },
    {
      to,
      source,
      at: report.at,
      payload,
      ...(report.cash?.fee !== undefined && { fee: report.cash.fee }),
      change: {
        lastReportAt: report.at,
        readyForPickup: meaning.flag === 'ready_for_pickup',
        ...(collected && { cashStatus: 'collected' as const }),
        ...(parcel.submittedAt === null && { submittedAt: report.at }),
      },
    },
  )
  return 'applied'
}

/** What a person said of this connection's word goes before the adapter's table. */
const meaningFor = (account: Account, raw: string) => ruleOf(account, raw) ?? account.mounted.meaning(raw)

function ruleOf({ row: { statusRules } }: Account, raw: string) {
  const folded = foldStatus(raw)
  return statusRules && Object.hasOwn(statusRules, folded) ? statusRules[folded] : undefined
}

/** Money goes one way, whatever the order of the words: a late "delivered" does not undo a payout. Only a cancelled payout starts again. */
const cashMoves = (from: CashStatus, to: CashStatus) =>
  to === 'payout_cancelled' ? from !== to : from === 'payout_cancelled' || cashStatuses.indexOf(to) > cashStatuses.indexOf(from)

/** A report of a parcel whose sending never answered, or was given up, proves that the carrier has it, and under which number. */
async function withTracking(tx: Queryable, parcel: ParcelRow, { trackingId }: StatusReport): Promise<ParcelRow> {
  if (parcel.trackingId !== null || !trackingId) return parcel
  const known = { trackingId, outcomeUnknown: false, lastError: null }
  if (parcel.status !== 'submitting' && parcel.status !== 'created') return updateParcel(tx, parcel.id, known)
  return moveParcel(tx, parcel, { to: 'submitted', source: 'system', at: new Date().toISOString(), payload: { trackingId }, change: known })
}

/** Newer words for the same status move nothing; a further failed attempt is counted. */
async function sameAgain(tx: Queryable, parcel: ParcelRow, { at }: StatusReport, cashMoved: boolean): Promise<Report['outcome']> {
  // The same word at the same time may come from a callback and from the poller: it is one attempt.
  const isNewer = parcel.lastReportAt === null || Date.parse(at) > Date.parse(parcel.lastReportAt)
  const another = parcel.status === 'delivery_failed' && isNewer && { deliveryAttempts: parcel.deliveryAttempts + 1 }
  await updateParcel(tx, parcel.id, { lastReportAt: at, ...another })
  return cashMoved ? 'cash' : 'same'
}
