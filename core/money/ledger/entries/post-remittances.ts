import type { Tx } from '../../../data/sql.ts'
import type { NewEntry, RemittanceRef, UndoneEntry } from './entries.model.ts'
import { insertEntries, listAdjustedParcels, setEntriesInForce, undoRemittance } from './entries.queries.ts'
import { restateDeliveries } from './post-parcel-moves.ts'

/** Entry that a line of a remittance posts. */
export type RemittanceEntry = Pick<NewEntry, 'parcelId' | 'takesBackId' | 'posting'> & {
  readonly kind: 'remittance' | 'deduction' | 'charge'
}

/**
 * Posts lines of a remittance that arrived. The database rejects a second payment of the same parcel. The caller holds the locks of the
 * remittance and of its parcels.
 */
export const postRemittanceLines = (
  tx: Tx,
  { projectId, connectionId, id }: RemittanceRef,
  entries: readonly RemittanceEntry[],
  at: string,
) =>
  insertEntries(
    tx,
    entries.map((entry) => ({ ...entry, projectId, connectionId, remittanceId: id, at })),
  )

/** Puts payments out of force that deductions of this remittance cancel, so that their delivered parcels are owed in full again. */
export async function cancelDeductedPayments(
  tx: Tx,
  key: RemittanceRef,
  { paymentIds, parcelIds }: { readonly paymentIds: readonly number[]; readonly parcelIds: readonly string[] },
): Promise<void> {
  await setEntriesInForce(tx, key.projectId, paymentIds, { stands: false })
  await restateDeliveries(tx, key, await listAdjustedParcels(tx, key.projectId, parcelIds))
}

/**
 * Undoes all entries of a remittance, and restores the payments that its deductions cancelled. Returns the parcels that are owed again and
 * those that are paid again.
 */
export async function undoRemittanceEntries(
  tx: Tx,
  key: RemittanceRef,
  at: string,
): Promise<{ readonly unpaid: readonly string[]; readonly paidAgain: readonly string[] }> {
  const undone = await undoRemittance(tx, key, at)
  const [unpaid, paidAgain] = [parcelsOf(undone, 'remittance'), parcelsOf(undone, 'deduction')]
  const restored = undone.flatMap(({ takesBackId }) => takesBackId ?? [])
  await setEntriesInForce(tx, key.projectId, restored, { stands: true })
  await restateDeliveries(tx, key, [...(await listAdjustedParcels(tx, key.projectId, unpaid)), ...paidAgain])
  return { unpaid, paidAgain }
}

const parcelsOf = (undone: readonly UndoneEntry[], kind: NewEntry['kind']): string[] =>
  undone.flatMap((entry) => (entry.kind === kind && entry.parcelId !== null ? entry.parcelId : []))
