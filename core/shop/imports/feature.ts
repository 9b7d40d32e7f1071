import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteOldImports } from './run-import.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'imports.deleteOld': Record<string, unknown>
  }
}

/** Import of sheets, shared by products and orders. Each declares its columns and the importer of its rows. */
export default feature('imports', {
  jobs: { 'imports.deleteOld': { schedule: '47 2 * * *', work: deleteOldImports } },
  personalData: [
    // Headings that match no column: a sheet without headings has personal data there.
    eraseBySearch({ table: 'sheet_imports', owner: 'project', key: ['id'], columns: { ignored: 'list' }, created: 'created_at' }),
    eraseBySearch({
      table: 'sheet_import_rows',
      owner: 'project',
      key: ['import_id', 'row:integer'],
      columns: { input: 'json', error: 'json', name: 'text', result_id: 'id' },
      only: "status <> 'waiting'",
      kind: 'log',
      about: { input: '{}' },
    }),
  ],
})
