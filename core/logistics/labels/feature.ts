import { feature } from '../../feature.ts'

/** Prints labels for those above; what carriers are asked for stands in `core/carrier-host.ts`. */
export default feature('labels', {})
