import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import type { ParcelRow } from '../parcels.queries.ts'

const DEADLINE_LEAST_MS = 2_000
/** What is done to a claimed parcel besides the call that hands it over. */
const BESIDE_MS = 60_000

type Settling = { readonly mounted: { readonly carrier: Pick<CarrierConnection['mounted']['carrier'], 'settleSeconds'> } }

/** How long a call that hands over may take. */
export const deadlineOf = ({ mounted: { carrier } }: Settling) => Math.max(DEADLINE_LEAST_MS, carrier.settleSeconds * 1000)

/** How long a claimed parcel is left to whoever claimed it. */
export const leaseOf = (connection: Settling) => deadlineOf(connection) + BESIDE_MS

type Claim = Pick<ParcelRow, 'submittingSince' | 'submittingBy'>

/** Whether it is still in the hands, and of the sending, that it was read in. */
export const isHeldAs = (held: Claim, now: Claim) => now.submittingSince === held.submittingSince && now.submittingBy === held.submittingBy
