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
})
