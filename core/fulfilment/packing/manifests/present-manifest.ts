import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import type { Manifest, ManifestParcel } from './manifests.model.ts'
import type { ManifestLine, ManifestRow } from './manifests.queries.ts'

/** Manifest as the API shows it. */
export const presentManifest = ({ projectId: _, codTotal, ...row }: ManifestRow): Manifest => ({
  ...row,
  status: row.closedAt === null ? 'open' : 'closed',
  codTotal: Number(codTotal),
})

/** Parcel of a manifest as the API shows it. */
export const presentLine = (line: ManifestLine): ManifestParcel => ({ ...line, codAmount: Number(line.codAmount) })

/** Columns that a manifest copies from a parcel. */
export const lineOf = ({ id, trackingId, reference, recipient, destination, codAmount }: ParcelRow): Omit<ManifestLine, 'addedAt'> => ({
  parcelId: id,
  trackingId: trackingId ?? reference,
  recipientName: recipient.name,
  cityName: destination.cityName,
  codAmount,
})
