import { feature } from '../../feature.ts'
import { runImport } from '../../shop/imports/run-import.ts'
import { orderImporter } from './import-order.ts'
import { orderImportRoutes } from './imports.routes.ts'

/** Import of orders from CSV and XLSX files. */
export default feature('order-import', {
  routes: [orderImportRoutes],
  jobs: { 'orders.import': { work: (context, job, signal) => runImport(context, orderImporter, job, signal) } },
})
