import type { Tx } from '../../data/sql.ts'

export const lockProduct = async (tx: Tx, id: string) => {
  await tx`select 1 from products where id = ${id} for update`
}
