import { feature } from '../../feature.ts'
import { workImport } from '../../shop/imports/work-import.ts'
import { orderImporter } from './import-order.ts'
import { orderImports } from './imports.routes.ts'

/** Orders from sheets, CSV or XLSX. */
export default feature('order-import', {
  routes: [orderImports],
  jobs: { 'orders.import': { work: (context, job, signal) => workImport(context, orderImporter, job, signal) } },
})
