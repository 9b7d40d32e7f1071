import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { customerErrors } from './customers.errors.ts'
import type { CustomerProfile } from './customers.model.ts'
import { findCustomer, lockCustomers, updateMergedInto } from './customers.queries.ts'

/** Merges the second customer into the first. Throws `not_found` for either, and `invalid_request` for the same customer twice. */
export async function mergeCustomers(tx: Tx, storeId: string, id: string, otherId: string): Promise<CustomerProfile> {
  const locked = await lockCustomers(tx, storeId, [id, otherId])
  const headOf = (wanted: string) => {
    const found = locked.find((customer) => customer.id === wanted)
    return found && (found.mergedInto ?? found.id)
  }
  const [into, from] = [headOf(id), headOf(otherId)]
  if (into === undefined) throw notFound('The customer')
  if (from === undefined) throw notFound('The other customer')
  if (id === otherId) throw customerErrors.sameCustomer({ field: ['customerId'] })
  // Locks the heads of earlier merges too, before any customer changes.
  const all = await lockCustomers(tx, storeId, [into, from])
  const moved = all.filter((customer) => customer.id === from || customer.mergedInto === from)
  if (into !== from) {
    await updateMergedInto(
      tx,
      storeId,
      into,
      moved.map((customer) => customer.id),
    )
    await recordAudit(tx, { storeId }, { what: 'customer.merged', thing: into, after: { customerId: from } })
  }
  const merged = await findCustomer(tx, storeId, into)
  if (!merged) throw notFound('The customer')
  return merged
}
