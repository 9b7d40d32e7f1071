import type { Queryable } from '../../data/sql.ts'
import type { Parcel } from '../parcels/parcels.model.ts'

/** Columns of a parcel for its label. `numeric` columns are strings. */
export interface LabelRow
  extends Pick<Parcel, 'reference' | 'recipient' | 'destination' | 'contents' | 'notes' | 'metadata' | 'createdAt' | 'submittedAt'> {
  readonly trackingId: string
  readonly takesBack: string | null
  readonly codAmount: string
  readonly weightKg: string
}

/** Finds parcels of a connection by tracking number. */
export const findLabelRows = (sql: Queryable, { id, projectId }: { id: string; projectId: string }, trackings: readonly string[]) =>
  sql<LabelRow[]>`
    select tracking_id, reference, recipient, destination, cod_amount, weight_kg, contents, notes, takes_back, metadata, created_at, submitted_at
    from parcels where project_id = ${projectId} and carrier_account_id = ${id} and tracking_id = any (${trackings as string[]})`
