import { feature } from '../../feature.ts'
import { personalManifests } from './manifests/manifests.queries.ts'
import { manifestRoutes } from './manifests/manifests.routes.ts'
import { scanRoutes } from './scans/scans.routes.ts'

/** Packing of parcels and handing them over, as the store scans them. */
export default feature('packing', { routes: [scanRoutes, manifestRoutes], personalData: [personalManifests] })
