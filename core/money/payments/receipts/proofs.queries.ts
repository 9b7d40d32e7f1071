import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { PaymentKey } from '../payments.model.ts'

/** Receipt as stored. */
export interface ProofRow {
  readonly id: string
  readonly fileId: string
  readonly createdAt: string
}

/** Inserts a receipt and returns it. */
export const insertProof = async (
  sql: Tx,
  proof: Omit<ProofRow, 'createdAt'> & { readonly projectId: string; readonly paymentId: string },
) => expectOne(await sql<ProofRow[]>`insert into payment_proofs ${rowValues(sql, proof)} returning id, file_id, created_at`)

/** Lists receipts of a payment, newest first. */
export const listProofs = (sql: Queryable, { projectId, id }: PaymentKey) =>
  sql<ProofRow[]>`select id, file_id, created_at from payment_proofs
    where project_id = ${projectId} and payment_id = ${id} order by id desc limit 100`

/** Deletes receipts of payments of orders. Returns the ids of their files that still exist. */
export const deleteProofsOfOrders = (tx: Tx, projectId: string, orderIds: readonly string[]) =>
  tx<{ fileId: string }[]>`with gone as (delete from payment_proofs where project_id = ${projectId} and payment_id in (
      select id from payments where project_id = ${projectId} and order_id = any (${orderIds as string[]})) returning file_id)
    select file_id from gone where exists (select 1 from files f where f.project_id = ${projectId} and f.id = gone.file_id)`
