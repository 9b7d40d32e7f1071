import { searched } from '../../data/personal-data.ts'
import { feature } from '../../feature.ts'
import { forgetOldImports } from './work-import.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'catalog.forgetImports': Record<string, unknown>
  }
}

/** The mechanism of all imports of sheets: products and orders say what their columns are and how a row is done. */
export default feature('imports', {
  jobs: { 'catalog.forgetImports': { at: '47 2 * * *', work: forgetOldImports } },
  personalData: [
    searched({
      table: 'sheet_import_rows',
      owner: 'store',
      key: ['import_id', 'row:integer'],
      columns: { input: 'json', error: 'json', name: 'text', result_id: 'id' },
      only: "status <> 'waiting'",
      kind: 'log',
      about: { input: '{}' },
    }),
  ],
})
