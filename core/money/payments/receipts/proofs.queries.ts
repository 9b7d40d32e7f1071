import { expectOne, type Queryable, row, type Tx } from '../../../data/sql.ts'

export interface ProofRow {
  readonly id: string
  readonly fileId: string
  readonly createdAt: string
}

/** Whose receipt it is: the payment's of an order, or of a subscription. */
export type ProofOf = { readonly paymentId: string } | { readonly subscriptionPaymentId: string }

export const insertProof = async (sql: Tx, proof: ProofOf & Omit<ProofRow, 'createdAt'>) =>
  expectOne(await sql<ProofRow[]>`insert into payment_proofs ${row(sql, proof)} returning id, file_id, created_at`)

/** Newest first; there are few. */
export const listProofs = (sql: Queryable, paymentId: string) =>
  sql<ProofRow[]>`select id, file_id, created_at from payment_proofs
    where payment_id = ${paymentId} or subscription_payment_id = ${paymentId} order by id desc limit 100`

/** Proofs of the payments of orders, and those of their files that are still there. */
export const deleteProofsOf = (tx: Tx, storeId: string, orderIds: readonly string[]) =>
  tx<{ fileId: string }[]>`with gone as (delete from payment_proofs where payment_id in (
      select id from payments where store_id = ${storeId} and order_id = any (${orderIds as string[]})) returning file_id)
    select file_id from gone where exists (select 1 from files f where f.id = gone.file_id)`
