import type { Importer } from '../../imports/run-import.ts'
import { applyProductRow } from './apply-row.ts'
import type { ProductCells } from './columns.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'catalog.import': { readonly storeId: string; readonly importId: string }
  }
}

/** Importer of product sheets. Rows with one slug form a group, because variants need their product. */
export const productImporter: Importer<ProductCells> = {
  kind: 'products',
  async apply(tx, store, cells) {
    const { status, productId } = await applyProductRow(tx, store, cells)
    return { status, resultId: productId }
  },
  groupOf: ({ slug }) => slug ?? null,
}
