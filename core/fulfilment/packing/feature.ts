import { feature } from '../../feature.ts'
import { personalManifests } from './manifests/manifests.queries.ts'
import { manifestRoutes } from './manifests/manifests.routes.ts'
import { returnScanRoutes } from './returns/returns.routes.ts'
import { scanRoutes } from './scans/scans.routes.ts'

/** Packing of parcels, handing them over and taking them back, as the store scans them. */
export default feature('packing', { routes: [scanRoutes, manifestRoutes, returnScanRoutes], personalData: [personalManifests] })
