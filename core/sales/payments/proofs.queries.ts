import { one, type Queryable, row, type Tx } from '../../data/sql.ts'

export interface ProofRow {
  readonly id: string
  readonly paymentId: string
  readonly fileId: string
  readonly createdAt: string
}

export const insertProof = async (sql: Tx, proof: Omit<ProofRow, 'createdAt'>) =>
  one(await sql<ProofRow[]>`insert into payment_proofs ${row(sql, proof)} returning id, payment_id, file_id, created_at`)

/** Newest first; there are few. */
export const listProofs = (sql: Queryable, paymentId: string) =>
  sql<ProofRow[]>`select id, payment_id, file_id, created_at from payment_proofs where payment_id = ${paymentId} order by id desc limit 100`
