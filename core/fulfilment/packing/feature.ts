import { feature } from '../../feature.ts'
import { scanRoutes } from './scans/scans.routes.ts'

/** Packing of parcels and handing them over, as the store scans them. */
export default feature('packing', { routes: [scanRoutes] })
