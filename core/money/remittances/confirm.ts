import { CashBatch, type LineOutcome, type Payout } from '../../../plugins/carrier/cash.model.ts'
import type { Context } from '../../context.ts'
import { useCustomPlans } from '../../data/keyset-page.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { cancelCashPayout, confirmCashPayout } from '../../logistics/parcels/lifecycle/move-cash.ts'
import { listDependentRemittances } from '../ledger/entries/entries.queries.ts'
import {
  cancelDeductedPayments,
  postRemittanceLines,
  type RemittanceEntry,
  undoRemittanceEntries,
} from '../ledger/entries/post-remittances.ts'
import { clearLineResults, lockLineParcels, recordLineResults } from './lines.queries.ts'
import { matchLines } from './match-lines.ts'
import { pullRemittance, remittanceKeyOf } from './pull-remittances.ts'
import { type ReconciledLine, reconcileLine } from './reconcile-line.ts'
import { remittanceErrors } from './remittances.errors.ts'
import {
  findRemittance,
  lockRemittance,
  markConfirmed,
  markReversed,
  type RemittanceKey,
  type RemittanceRow,
} from './remittances.queries.ts'
import { presentRemittance, recordPayoutChange } from './remittances.ts'

/**
 * Confirms that a remittance arrived, after pulling its current lines. Confirms it at the carrier first, which is safe to repeat, then
 * posts every line in one transaction. Returns an already confirmed remittance as it is. Throws `not_found`.
 */
export async function confirmRemittance(context: Context, connection: CarrierConnection, id: string): Promise<Payout> {
  const key = remittanceKeyOf(connection, id)
  const known = await findRemittance(context.sql, key)
  if (known?.state === 'confirmed') return presentRemittance(known)
  await pullRemittance(context, connection, id, known)
  const payout = await findRemittance(context.sql, key)
  if (!payout) throw notFound('The payout')
  await confirmAtCarrier(context, connection, payout)
  return presentRemittance(await transaction(context.sql, (tx) => postRemittance(tx, key)))
}

async function confirmAtCarrier(context: Context, connection: CarrierConnection, { id, source, carrierStatus }: RemittanceRow) {
  const confirm = connection.row.enabled ? connection.mounted.carrier.cash?.confirm : undefined
  if (!confirm || source !== 'carrier' || carrierStatus === 'payout_confirmed') return
  await callAdapter(context, connection, (_carrier, adapter) => confirm(adapter, id), { operation: 'cashConfirm', schema: CashBatch })
}

async function postRemittance(tx: Tx, key: RemittanceKey): Promise<RemittanceRow> {
  await useCustomPlans(tx)
  const payout = await lockRemittance(tx, key)
  if (!payout) throw notFound('The payout')
  if (payout.state === 'confirmed') return payout
  await lockLineParcels(tx, key)
  const at = new Date().toISOString()
  // The lines are matched after the parcel locks, so they include what a concurrent remittance posted.
  for await (const lines of matchLines(tx, key)) await postLines(tx, key, lines.map(reconcileLine), at)
  const confirmed = await markConfirmed(tx, key, at)
  await recordPayoutChange(tx, confirmed, 'carrier_payout.confirmed', payout.state)
  return confirmed
}

async function postLines(tx: Tx, key: RemittanceKey, judged: readonly ReconciledLine[], at: string) {
  await postRemittanceLines(tx, key, judged.flatMap(entryOf), at)
  await recordLineResults(
    tx,
    key,
    judged.map(({ matched, ...line }) => ({ ...line, line: matched.line, parcelId: matched.parcel?.id ?? null })),
  )
  await confirmCashPayout(tx, key.projectId, parcelIdsOf(judged.filter(({ posting, amount }) => posting && amount > 0n)))
  const deducted = judged.filter(({ outcome }) => outcome === 'deducted')
  if (deducted.length === 0) return
  const parcelIds = parcelIdsOf(deducted)
  await cancelDeductedPayments(tx, key, { paymentIds: deducted.flatMap(({ takesBack }) => takesBack?.id ?? []), parcelIds })
  await cancelCashPayout(tx, key.projectId, parcelIds)
}

const parcelIdsOf = (lines: readonly ReconciledLine[]) => lines.flatMap(({ matched }) => matched.parcel?.id ?? [])

const entryKinds: Partial<Record<LineOutcome, RemittanceEntry['kind']>> = { deducted: 'deduction', charged: 'charge' }

/** Returns the entry that a line posts, or nothing when it moves no money. */
const entryOf = ({ matched, outcome, posting, takesBack }: ReconciledLine): RemittanceEntry[] =>
  posting
    ? [{ kind: entryKinds[outcome] ?? 'remittance', parcelId: matched.parcel?.id ?? null, takesBackId: takesBack?.id ?? null, posting }]
    : []

/**
 * Reverses a confirmed remittance with opposite ledger entries, so that its parcels are owed again and its deductions are paid again.
 * Returns a reversed remittance unchanged. Sends nothing to the carrier, because no carrier API supports it. Throws `invalid_transition`
 * for a draft, and `conflict` when a later remittance depends on this one.
 */
export async function reverseRemittance(context: Context, connection: CarrierConnection, id: string): Promise<Payout> {
  const key = remittanceKeyOf(connection, id)
  return presentRemittance(
    await transaction(context.sql, async (tx) => {
      await useCustomPlans(tx)
      const payout = await lockRemittance(tx, key)
      if (!payout) throw notFound('The payout')
      if (payout.state === 'reversed') return payout
      if (payout.state === 'draft') throw remittanceErrors.payoutNotConfirmed()
      await lockLineParcels(tx, key)
      await assertNoDependents(tx, key)
      const at = new Date().toISOString()
      const { unpaid, paidAgain } = await undoRemittanceEntries(tx, key, at)
      await cancelCashPayout(tx, key.projectId, unpaid)
      await confirmCashPayout(tx, key.projectId, paidAgain)
      await clearLineResults(tx, key)
      const reversed = await markReversed(tx, key, at)
      await recordPayoutChange(tx, reversed, 'carrier_payout.reversed', payout.state)
      return reversed
    }),
  )
}

async function assertNoDependents(tx: Tx, key: RemittanceKey) {
  const dependent = await listDependentRemittances(tx, key)
  if (dependent.length === 0) return
  const dependents = dependent.map(({ id, parcels }) => `${id} (${parcels} ${parcels === 1 ? 'parcel' : 'parcels'})`)
  throw remittanceErrors.laterPayoutsDepend({ dependents: dependents.join(', ') })
}
