import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import type { ParcelRow } from '../parcels.queries.ts'

const DEADLINE_LEAST_MS = 2_000
/** Time for the work on a claimed parcel besides the call to its carrier. */
const PREPARATION_MS = 60_000

type SettlingConnection = { readonly mounted: { readonly carrier: Pick<CarrierConnection['mounted']['carrier'], 'settleSeconds'> } }

/** Milliseconds that a call to submit a parcel may take. */
export const sendDeadlineOf = ({ mounted: { carrier } }: SettlingConnection) => Math.max(DEADLINE_LEAST_MS, carrier.settleSeconds * 1000)

/** Milliseconds for which a claimed parcel belongs to the process that claimed it. */
export const leaseDurationOf = (connection: SettlingConnection) => sendDeadlineOf(connection) + PREPARATION_MS

type ClaimColumns = Pick<ParcelRow, 'submittingSince' | 'submittingBy'>

/** Returns true when the parcel still belongs to the claim and the submission that it was read in. */
export const isSameClaim = (held: ClaimColumns, now: ClaimColumns) =>
  now.submittingSince === held.submittingSince && now.submittingBy === held.submittingBy
