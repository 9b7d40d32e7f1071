import { type CashStatus, cashStatuses, type StatusReport } from '../../../plugins/carrier/model.ts'
import { foldStatus } from '../../../plugins/carrier/statuses.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { toStorableText } from '../../lib/redact.ts'
import { note } from '../parcels/change/note.ts'
import { moveParcel } from '../parcels/lifecycle/move.ts'
import { transitions } from '../parcels/lifecycle/transitions.ts'
import { findByReference, findByTracking, lockParcel, type ParcelRow } from '../parcels/parcels.queries.ts'
import { countUnknownStatus, insertReport, listUnmapped, type Report, reportKnown, settleReport } from './reports.queries.ts'
import { findMeaning } from './status-rules/status-rules.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** The carrier says what it keeps of a parcel, in the major unit. */
    'carrier.fee_learnt': { parcel: ParcelRow; fee: number }
  }
}

/** What a carrier said, or what was read off something else that it said: then `key` tells a repetition, since the time is that of the reading. */
export interface News extends StatusReport {
  readonly key?: string
}

export interface Recorded {
  readonly received: number
  /** How many moved a parcel or its cash. */
  readonly applied: number
  /** Those of parcels that are not ours, or not yet. */
  readonly strangers: readonly StatusReport[]
}

/**
 * Takes a carrier's news, oldest first. Each word is kept once; a repetition, one that is older than what moved the parcel, and
 * one that the table of statuses does not know are kept and move nothing. News of parcels that are not ours are left out.
 */
export async function recordReports(
  context: Context,
  connection: CarrierConnection,
  reports: readonly News[],
  source: string,
): Promise<Recorded> {
  const ordered = reports.flatMap(believable).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const strangers: StatusReport[] = []
  let applied = 0
  for (const report of ordered) {
    const parcel = await parcelOf(context.sql, connection, report)
    if (!parcel) strangers.push(report)
    else if (await recordReport(context, connection, parcel, report, source)) applied += 1
  }
  return { received: reports.length, applied, strangers }
}

/** With the mark of what was cut, as long as a person may name it to say what it means. */
const STATUS_MAX = 399
const REASON_MAX = 1_000
const NAME_MAX = 120
const LONG_AGO = Date.parse('2000-01-01T00:00:00Z')
/** Clocks differ. */
const AHEAD_MS = 5 * 60_000

type Believable = StatusReport & { readonly key: string }

/** As it can be kept. A time that cannot be is left out; one that has not come yet is now, or it would hide all that follows. */
export function believable(report: News): Believable[] {
  const { trackingId, reference, carrierStatus, reason } = report
  const [told, now] = [Date.parse(report.at), Date.now()]
  if (Number.isNaN(told) || told < LONG_AGO) return []
  const kept = {
    at: new Date(told > now + AHEAD_MS ? now : told).toISOString(),
    key: report.key ?? wordKey(report, told),
    ...(trackingId !== undefined && { trackingId: toStorableText(trackingId, NAME_MAX) }),
    ...(reference !== undefined && { reference: toStorableText(reference, NAME_MAX) }),
    ...(carrierStatus !== undefined && { carrierStatus: toStorableText(carrierStatus, STATUS_MAX) }),
    ...(reason !== undefined && { reason: toStorableText(reason, REASON_MAX) }),
  }
  return [{ ...report, ...kept }]
}

/** One id may cover several events, and one event may have two ids: what is the same in id, words, time and money is one word said twice. */
function wordKey({ eventId, carrierStatus, reason, cash }: StatusReport, told: number): string {
  return sha256(JSON.stringify([eventId ?? null, carrierStatus ?? null, new Date(told).toISOString(), reason ?? null, cash ?? null]))
}

/** By tracking number; by our reference where the callback comes before the answer of the sending. */
export async function parcelOf(
  sql: Queryable,
  { row }: CarrierConnection,
  { trackingId, reference }: StatusReport,
): Promise<ParcelRow | undefined> {
  const byTracking = trackingId ? await findByTracking(sql, row, trackingId) : undefined
  if (byTracking || !reference) return byTracking
  const byReference = await findByReference(sql, row.projectId, reference)
  if (byReference?.carrierAccountId !== row.id) return undefined
  // Sent anew since: what is said of its earlier number does not concern it.
  return trackingId && byReference.trackingId ? undefined : byReference
}

async function recordReport(
  context: Context,
  connection: CarrierConnection,
  key: Pick<ParcelRow, 'projectId' | 'id'>,
  report: Believable,
  source: string,
): Promise<boolean> {
  return transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) return false
    const { at } = report
    const eventKey = sha256(`${connection.row.id} ${report.key}`)
    const said = { carrierStatus: report.carrierStatus ?? null, reason: report.reason ?? null }
    const { projectId, id } = parcel
    if (await reportKnown(tx, { projectId, parcelId: id, eventKey })) return false
    const outcome = await apply(tx, connection, parcel, report, source)
    if (report.cash?.fee !== undefined) await publish(tx, 'carrier.fee_learnt', { parcel, fee: report.cash.fee })
    await insertReport(tx, { projectId, parcelId: id, eventKey, source, ...said, at, outcome })
    return outcome === 'applied' || outcome === 'cash'
  })
}

const WAITING_AT_ONCE = 200

/**
 * Reads reports again whose raw status nobody knew, now that somebody said what it means: parcel by parcel, oldest word first, each in
 * its own transaction and by the rules of any report.
 */
export async function applyWaitingReports(context: Context, connection: CarrierConnection, raws: readonly string[], signal: AbortSignal) {
  for (;;) {
    const waiting = await listUnmapped(context.sql, connection.row.id, raws, WAITING_AT_ONCE)
    for (const report of waiting) {
      signal.throwIfAborted()
      await transaction(context.sql, async (tx) => {
        const parcel = await lockParcel(tx, { projectId: report.projectId, id: report.parcelId })
        if (!parcel) return
        const { carrierStatus, reason, at, source } = report
        const said = { carrierStatus, at, ...(reason !== null && { reason }) }
        await settleReport(tx, report, await apply(tx, connection, parcel, said, source))
      })
    }
    // The rule may be gone again: then these stay as they are.
    if (waiting.length < WAITING_AT_ONCE || !raws.some((raw) => ruleOf(connection, raw))) return
  }
}

async function apply(
  tx: Tx,
  connection: CarrierConnection,
  before: ParcelRow,
  report: StatusReport,
  source: string,
): Promise<Report['outcome']> {
  const parcel = await withTracking(tx, before, report)
  const meaning = report.carrierStatus === undefined ? {} : await meaningFor(tx, connection, report.carrierStatus, parcel.id)
  if (!meaning) return 'unmapped'
  const cash = report.cash?.status ?? meaning.cash
  const cashMoved = cash !== undefined && cashMoves(parcel.cashStatus, cash)
  if (cashMoved) await note(tx, parcel, { cashStatus: cash })
  const instead: Report['outcome'] = cashMoved ? 'cash' : 'ignored'
  const to = meaning.status
  if (!to) return instead
  if (parcel.lastReportAt !== null && Date.parse(report.at) < Date.parse(parcel.lastReportAt)) return cashMoved ? 'cash' : 'stale'
  // The same word at the same time may come from a callback and from the poller: it is one attempt.
  const isNewer = parcel.lastReportAt === null || Date.parse(report.at) > Date.parse(parcel.lastReportAt)
  const another = to === 'delivery_failed' && parcel.status === to && isNewer
  if (to === parcel.status && !another) {
    await note(tx, parcel, { lastReportAt: report.at })
    return cashMoved ? 'cash' : 'same'
  }
  if (!another && !transitions[parcel.status].includes(to)) return cashMoved ? 'cash' : 'impossible'
  const payload = {
    ...(report.carrierStatus !== undefined && { carrierStatus: report.carrierStatus }),
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

/**
 * What a person said of this connection's word goes before the adapter's table; it may have been said since the account was opened.
 * A word that nobody knows is counted.
 */
async function meaningFor(tx: Tx, connection: CarrierConnection, raw: string, parcelId: string) {
  const { id } = connection.row
  const meaning = ruleOf(connection, raw) ?? connection.mounted.meaning(raw) ?? (await findMeaning(tx, id, foldStatus(raw)))
  if (!meaning) await countUnknownStatus(tx, id, raw, parcelId)
  return meaning
}

function ruleOf({ row: { statusRules } }: CarrierConnection, raw: string) {
  const folded = foldStatus(raw)
  return statusRules && Object.hasOwn(statusRules, folded) ? statusRules[folded] : undefined
}

/** Money goes one way, whatever the order of the words: a late "delivered" does not undo a payout. Only a cancelled payout starts again. */
const cashMoves = (from: CashStatus, to: CashStatus) =>
  to === 'payout_cancelled' ? from !== to : from === 'payout_cancelled' || cashStatuses.indexOf(to) > cashStatuses.indexOf(from)

/** A report of a parcel whose sending never answered, or was given up, proves that the carrier has it, and under which number. */
async function withTracking(tx: Tx, parcel: ParcelRow, { trackingId }: StatusReport): Promise<ParcelRow> {
  if (parcel.trackingId !== null || !trackingId) return parcel
  const known = { trackingId, outcomeUnknown: false, lastError: null }
  if (parcel.status !== 'submitting' && parcel.status !== 'created') return note(tx, parcel, known)
  return moveParcel(tx, parcel, { to: 'submitted', source: 'system', at: new Date().toISOString(), payload: { trackingId }, change: known })
}
