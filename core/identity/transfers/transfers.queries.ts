import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Transfer } from './transfers.model.ts'

/** Transfer that can still be accepted. */
export interface PendingTransfer {
  readonly id: string
  readonly fromId: string
  readonly fromName: string
  readonly email: string
}

/** Inserts a transfer and cancels the previous open one of the user. */
export async function insertTransfer(sql: Tx, transfer: { id: string; fromId: string; email: string; tokenHash: string; expiresAt: Date }) {
  await cancelTransfers(sql, transfer.fromId)
  return expectOne(
    await sql<Transfer[]>`insert into account_transfers ${rowValues(sql, transfer)} returning id, email, status, created_at, expires_at`,
  )
}

/** Cancels the open transfer of a user. */
export const cancelTransfers = (sql: Queryable, fromId: string) =>
  sql`update account_transfers set status = 'replaced', settled_at = now() where from_id = ${fromId} and status = 'open'`

/** Finds an open transfer that has not expired. */
export const findPendingTransfer = async (sql: Queryable, tokenHash: string) =>
  (
    await sql<PendingTransfer[]>`
    select t.id, t.from_id, u.name as from_name, t.email from account_transfers t join users u on u.id = t.from_id
    where t.token_hash = ${tokenHash} and t.status = 'open' and t.expires_at > now()`
  )[0]

/** Accepts or declines an open transfer. Returns false when it is not open any more. */
export const closeTransfer = async (sql: Queryable, id: string, status: 'accepted' | 'declined') =>
  (
    await sql`update account_transfers set status = ${status}, settled_at = now() where id = ${id} and status = 'open' and expires_at > now()`
  ).count > 0

/** Deletes all transfers that a user offered. */
export const deleteTransfersOfUser = (sql: Queryable, userId: string) => sql`delete from account_transfers where from_id = ${userId}`
