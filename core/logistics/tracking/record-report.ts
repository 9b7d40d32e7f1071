import { type CashStatus, cashStatuses, type StatusReport } from '../../../plugins/carrier/model.ts'
import { foldStatus } from '../../../plugins/carrier/statuses.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { toStorableText } from '../../lib/redact.ts'
import { updateReportedValues } from '../parcels/change/update-reported.ts'
import { moveParcel } from '../parcels/lifecycle/move-parcel.ts'
import { parcelTransitions } from '../parcels/lifecycle/transitions.ts'
import { findParcelByReference, findParcelByTracking, lockParcel, type ParcelRow } from '../parcels/parcels.queries.ts'
import {
  countUnknownStatus,
  insertReport,
  isReportRecorded,
  listUnmappedReports,
  type ReportRow,
  updateReportOutcome,
} from './reports.queries.ts'
import { findRuleMeaning } from './status-rules/status-rules.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when the carrier reports the fee that it keeps for a parcel, in the major unit. */
    'parcel.fee_reported': { parcel: ParcelRow; fee: number }
  }
}

/** Report of a carrier. `key` identifies a repetition when the report was derived from other data, whose time is that of the reading. */
export interface IncomingReport extends StatusReport {
  readonly key?: string
}

/** Result of recording reports. */
export interface RecordingResult {
  readonly received: number
  /** Number of reports that changed a parcel or its cash. */
  readonly applied: number
  /** Reports of parcels that are not ours, or not stored yet. */
  readonly unmatched: readonly StatusReport[]
}

/**
 * Records the reports of a carrier, oldest first. Stores each report once; repeated, outdated and impossible reports are stored and change
 * nothing. Skips reports of parcels that are not ours.
 */
export async function recordReports(
  context: Context,
  connection: CarrierConnection,
  reports: readonly IncomingReport[],
  source: string,
): Promise<RecordingResult> {
  const ordered = reports.flatMap(normalizeReport).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const unmatched: StatusReport[] = []
  let applied = 0
  for (const report of ordered) {
    const parcel = await findReportedParcel(context.sql, connection, report)
    if (!parcel) unmatched.push(report)
    else if (await recordReport(context, connection, parcel, report, source)) applied += 1
  }
  return { received: reports.length, applied, unmatched }
}

/** Maximum length of a status with its ellipsis; a user must be able to name it in a status rule. */
const STATUS_MAX = 399
const REASON_MAX = 1_000
const NAME_MAX = 120
const LONG_AGO = Date.parse('2000-01-01T00:00:00Z')
/** Tolerated clock difference. */
const AHEAD_MS = 5 * 60_000

type NormalizedReport = StatusReport & { readonly key: string }

/**
 * Shortens a report to what can be stored. Drops a report with an impossible time; a future time becomes now, since it would hide all later
 * reports.
 */
export function normalizeReport(report: IncomingReport): NormalizedReport[] {
  const { trackingId, reference, carrierStatus, reason } = report
  const [told, now] = [Date.parse(report.at), Date.now()]
  if (Number.isNaN(told) || told < LONG_AGO) return []
  const storable = {
    at: new Date(told > now + AHEAD_MS ? now : told).toISOString(),
    key: report.key ?? reportKeyOf(report, told),
    ...(trackingId !== undefined && { trackingId: toStorableText(trackingId, NAME_MAX) }),
    ...(reference !== undefined && { reference: toStorableText(reference, NAME_MAX) }),
    ...(carrierStatus !== undefined && { carrierStatus: toStorableText(carrierStatus, STATUS_MAX) }),
    ...(reason !== undefined && { reason: toStorableText(reason, REASON_MAX) }),
  }
  return [{ ...report, ...storable }]
}

/**
 * Key of a report. One event id may cover several events, and one event may have two ids, so the key also has status, time, reason and
 * cash.
 */
function reportKeyOf({ eventId, carrierStatus, reason, cash }: StatusReport, told: number): string {
  return sha256(JSON.stringify([eventId ?? null, carrierStatus ?? null, new Date(told).toISOString(), reason ?? null, cash ?? null]))
}

/** Finds the parcel of a report by tracking number, or by our reference when the callback precedes the submission's response. */
export async function findReportedParcel(
  sql: Queryable,
  { row }: CarrierConnection,
  { trackingId, reference }: StatusReport,
): Promise<ParcelRow | undefined> {
  const byTracking = trackingId ? await findParcelByTracking(sql, row, trackingId) : undefined
  if (byTracking || !reference) return byTracking
  const byReference = await findParcelByReference(sql, row.projectId, reference)
  if (byReference?.carrierAccountId !== row.id) return undefined
  // The parcel was submitted again since, so a report for its earlier number does not concern it.
  return trackingId && byReference.trackingId ? undefined : byReference
}

async function recordReport(
  context: Context,
  connection: CarrierConnection,
  key: Pick<ParcelRow, 'projectId' | 'id'>,
  report: NormalizedReport,
  source: string,
): Promise<boolean> {
  return transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) return false
    const { at } = report
    const eventKey = sha256(`${connection.row.id} ${report.key}`)
    const wording = { carrierStatus: report.carrierStatus ?? null, reason: report.reason ?? null }
    const { projectId, id } = parcel
    if (await isReportRecorded(tx, { projectId, parcelId: id, eventKey })) return false
    const outcome = await applyReport(tx, connection, parcel, report, source)
    if (report.cash?.fee !== undefined) await publish(tx, 'parcel.fee_reported', { parcel, fee: report.cash.fee })
    await insertReport(tx, { projectId, parcelId: id, eventKey, source, ...wording, at, outcome })
    return outcome === 'applied' || outcome === 'cash'
  })
}

const WAITING_AT_ONCE = 200

/**
 * Applies stored reports whose status was unknown until a rule defined it, oldest first. Each is applied in its own transaction, by the
 * rules of any report.
 */
export async function applyUnmappedReports(context: Context, connection: CarrierConnection, raws: readonly string[], signal: AbortSignal) {
  for (;;) {
    const waiting = await listUnmappedReports(context.sql, connection.row.id, raws, WAITING_AT_ONCE)
    for (const report of waiting) {
      signal.throwIfAborted()
      await transaction(context.sql, async (tx) => {
        const parcel = await lockParcel(tx, { projectId: report.projectId, id: report.parcelId })
        if (!parcel) return
        const { carrierStatus, reason, at, source } = report
        const storedReport = { carrierStatus, at, ...(reason !== null && { reason }) }
        await updateReportOutcome(tx, report, await applyReport(tx, connection, parcel, storedReport, source))
      })
    }
    // The rule may have been deleted meanwhile; then the reports stay as they are.
    if (waiting.length < WAITING_AT_ONCE || !raws.some((raw) => statusRuleOf(connection, raw))) return
  }
}

async function applyReport(
  tx: Tx,
  connection: CarrierConnection,
  before: ParcelRow,
  report: StatusReport,
  source: string,
): Promise<ReportRow['outcome']> {
  const parcel = await storeTracking(tx, before, report)
  const meaning = report.carrierStatus === undefined ? {} : await meaningOf(tx, connection, report.carrierStatus, parcel.id)
  if (!meaning) return 'unmapped'
  const cash = report.cash?.status ?? meaning.cash
  const isCashChanged = cash !== undefined && canCashChange(parcel.cashStatus, cash)
  if (isCashChanged) await updateReportedValues(tx, parcel, { cashStatus: cash })
  const instead: ReportRow['outcome'] = isCashChanged ? 'cash' : 'ignored'
  const to = meaning.status
  if (!to) return instead
  if (parcel.lastReportAt !== null && Date.parse(report.at) < Date.parse(parcel.lastReportAt)) return isCashChanged ? 'cash' : 'stale'
  // A callback and the poller may report the same status with the same time: that is one delivery attempt.
  const isNewer = parcel.lastReportAt === null || Date.parse(report.at) > Date.parse(parcel.lastReportAt)
  const another = to === 'delivery_failed' && parcel.status === to && isNewer
  if (to === parcel.status && !another) {
    await updateReportedValues(tx, parcel, { lastReportAt: report.at })
    return isCashChanged ? 'cash' : 'same'
  }
  if (!another && !parcelTransitions[parcel.status].includes(to)) return isCashChanged ? 'cash' : 'impossible'
  const payload = {
    ...(report.carrierStatus !== undefined && { carrierStatus: report.carrierStatus }),
    ...(report.reason && { reason: report.reason }),
    ...(meaning.flag && { flag: meaning.flag }),
  }
  const collected = to === 'delivered' && !cash && parcel.cashStatus === 'none' && Number(parcel.codAmount) > 0
  await moveParcel(
    tx,
    { ...parcel, cashStatus: isCashChanged ? cash : parcel.cashStatus },
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

/**
 * Finds the meaning of a carrier's status: first a rule of the connection, then the table of the adapter. Reads rules defined since the
 * connection was opened too. Counts an unknown status.
 */
async function meaningOf(tx: Tx, connection: CarrierConnection, raw: string, parcelId: string) {
  const { row, mounted } = connection
  const meaning = statusRuleOf(connection, raw) ?? mounted.meaning(raw) ?? (await findRuleMeaning(tx, row, foldStatus(raw)))
  if (!meaning) await countUnknownStatus(tx, row, raw, parcelId)
  return meaning
}

function statusRuleOf({ row: { statusRules } }: CarrierConnection, raw: string) {
  const folded = foldStatus(raw)
  return statusRules && Object.hasOwn(statusRules, folded) ? statusRules[folded] : undefined
}

/**
 * Returns true when the cash status may change. It only advances, so that a late report does not undo a payout; only a cancelled payout
 * starts again.
 */
const canCashChange = (from: CashStatus, to: CashStatus) =>
  to === 'payout_cancelled' ? from !== to : from === 'payout_cancelled' || cashStatuses.indexOf(to) > cashStatuses.indexOf(from)

/** Stores the tracking number of a parcel whose submission had no outcome. The report proves that the carrier has the parcel. */
async function storeTracking(tx: Tx, parcel: ParcelRow, { trackingId }: StatusReport): Promise<ParcelRow> {
  if (parcel.trackingId !== null || !trackingId) return parcel
  const known = { trackingId, outcomeUnknown: false, lastError: null }
  if (parcel.status !== 'submitting' && parcel.status !== 'created') return updateReportedValues(tx, parcel, known)
  return moveParcel(tx, parcel, { to: 'submitted', source: 'system', at: new Date().toISOString(), payload: { trackingId }, change: known })
}
