import type { Tx } from '../../data/sql.ts'
import { lockProduct } from './hold.queries.ts'

/** Nobody else changes a product until the transaction ends: as it is read then, it is when it is written. */
export const holdProduct = (tx: Tx, id: string): Promise<void> => lockProduct(tx, id)
