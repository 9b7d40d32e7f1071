import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readList } from '../../http/resource/list.ts'
import { Data, List } from '../../http/schema.ts'
import { invariant } from '../../lib/invariant.ts'
import { type RequiredAccess, storeItemMacro } from '../stores/authority.ts'
import type { Store } from '../stores/stores.model.ts'
import {
  ImportColumns,
  ImportParams,
  ImportQuery,
  type ImportSchema,
  type importRequestBody,
  importRowList,
  type NewImportRow,
  StoreQuery,
} from './imports.model.ts'
import type { ImportedRow } from './imports.queries.ts'
import type { SheetRow } from './parse-sheet.ts'
import { presentColumns } from './present-columns.ts'
import { readImport, readImportRows } from './read-import.ts'
import { readSheetUpload } from './reader.ts'
import { type Importer, runImport } from './run-import.ts'
import type { SheetForm } from './sheet-form.ts'
import { INLINE_ROWS_MAX, type NewImport, startImport } from './start-import.ts'

interface Documentation {
  readonly summary: string
  readonly operationId: string
}

/** Import of one kind of sheet: its form, how its rows are applied, and how they are shown. */
export interface SheetImport<Input> {
  readonly importer: Importer<Input>
  readonly job: NewImport['job']
  readonly form: SheetForm
  readonly access: { readonly write: RequiredAccess; readonly read: RequiredAccess }
  /** Converts the rows of a sheet to what the importer applies. Throws where the store may not import them. */
  prepare(context: Context, store: Store, rows: readonly SheetRow[]): Promise<readonly NewImportRow[]>
  /** Presents a row with its result. */
  presentRow(row: ImportedRow): object
  readonly schemas: { readonly import: ImportSchema; readonly row: TSchema; readonly requestBody: ReturnType<typeof importRequestBody> }
  readonly tag: string
  readonly docs: Readonly<Record<'start' | 'columns' | 'read' | 'rows', Documentation>>
}

/** Routes of an import below `prefix`: upload or dry run, columns, progress, and rows with their results. */
export function importRoutes<Input>(context: Context, prefix: '/v1/orders' | '/v1/products', sheet: SheetImport<Input>) {
  const { sql } = context
  const { importer, job, form, access, schemas, docs } = sheet
  const { kind } = importer
  const read = (id: string) => readImport(sql, kind, id)
  const describe = (route: keyof typeof docs) => ({ tags: [sheet.tag], ...docs[route] })
  return new Elysia({ name: `imports of ${kind}`, prefix })
    .use(context.authority)
    .macro('sheetImport', storeItemMacro(context, 'import', read))
    .post(
      '/import',
      async ({ store, caller, request, query: { dryRun = false }, set }) => {
        const { hash, rows, ignored } = await readSheetUpload(request, store.id, form)
        const inputs = await sheet.prepare(context, store, rows)
        const answer = await createOnce(
          context,
          { request, caller, set, body: { hash, ignored, dryRun } },
          async (tx) => ({ data: await startImport(tx, store, { kind, job, dryRun, ignored, rows: inputs }) }),
          async ({ data }) => {
            if (rows.length <= INLINE_ROWS_MAX) await runImport(context, importer, { storeId: store.id, importId: data.id })
            return { data: invariant(await read(data.id), 'An import that was made') }
          },
        )
        if (answer.data.status === 'processing') set.status = 202
        return answer
      },
      {
        store: access.write,
        // The form is read only after the caller is authorized.
        parse: 'none',
        query: ImportQuery,
        response: { 201: Data(schemas.import), 202: Data(schemas.import) },
        detail: { ...describe('start'), requestBody: schemas.requestBody },
      },
    )
    .get('/imports/columns', () => ({ data: presentColumns(form) }), {
      store: access.read,
      query: StoreQuery,
      response: ImportColumns,
      detail: describe('columns'),
    })
    .get('/imports/:id', ({ import: found }) => ({ data: found }), {
      sheetImport: access.read,
      params: ImportParams,
      response: Data(schemas.import),
      detail: describe('read'),
    })
    .get(
      '/imports/:id/rows',
      async ({ import: found, query }) => {
        const { data, nextCursor } = await readList(
          sql,
          importRowList,
          query,
          (reader, { filter, page }) => readImportRows(reader, found, filter.status, page),
          ({ row }) => String(row),
        )
        return { data: data.map(sheet.presentRow), nextCursor }
      },
      {
        sheetImport: access.read,
        params: ImportParams,
        query: importRowList.query,
        response: List(schemas.row),
        detail: describe('rows'),
      },
    )
}
