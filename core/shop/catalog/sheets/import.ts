import type { Importer } from '../../imports/work-import.ts'
import { applyRow } from './apply-row.ts'
import type { Cells } from './columns.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'catalog.import': { readonly storeId: string; readonly importId: string }
  }
}

/** Importer of product sheets. Rows with one slug form a group, because variants need their product. */
export const productImporter: Importer<Cells> = {
  kind: 'products',
  async apply(tx, store, cells) {
    const { status, productId } = await applyRow(tx, store, cells)
    return { status, resultId: productId }
  },
  groupOf: ({ slug }) => slug ?? null,
}
