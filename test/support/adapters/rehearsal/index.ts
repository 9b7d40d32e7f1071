import { carrier } from 'serai/carrier'
import companies from '../../../../adapters/carrier/yalidine/index.ts'

const quick = { ...companies[0]!, rateWindows: [], settleSeconds: 4 }

/** A carrier of the Yalidine platform without its quotas, so that faults can be rehearsed at speed; and one that cannot be asked what it has. */
export default [
  carrier({ ...quick, slug: 'rehearsal', label: 'Rehearsal' }),
  carrier({ ...quick, slug: 'rehearsal-unsafe', label: 'Rehearsal, unsafe', exactlyOnce: 'unsafe' }),
]
