import { carrier } from 'serai/carrier'
import companies from '../../../../adapters/carrier/yalidine/index.ts'

/** A carrier of the Yalidine platform without its quotas, so that faults can be rehearsed at speed. */
export default carrier({ ...companies[0]!, slug: 'rehearsal', label: 'Rehearsal', rateWindows: [], settleSeconds: 4 })
